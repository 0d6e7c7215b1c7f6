#!/usr/bin/env python3
"""workflow.py FILE PROJECT SOURCE: a workflow's only job as a shell script, on standard output.

The commands are the workflow's own. For actions/checkout the script copies PROJECT, or SOURCE if
the step names a path. actions/cache is left to the caller, who keeps the folder. Anything else that
the file asks of its service is an error here.
"""
import shlex
import sys

import yaml

file, project, source = sys.argv[1:]
with open(file) as stream:
    (job,) = yaml.safe_load(stream)["jobs"].values()
assert set(job) == {"runs-on", "container", "env", "steps"}, sorted(job)
print("set -eu\nexport GITHUB_ENV=$PWD/github.env\n: >github.env")
for name, value in job["env"].items():
    print(f"export {name}={shlex.quote(value)}")
for step in job["steps"]:
    action = step.get("uses", "").split("@")[0]
    print(f"echo {shlex.quote('== ' + step['name'])}")
    if action == "actions/checkout":
        path = step.get("with", {}).get("path")
        print(f"mkdir -p {path or '.'}; cp -R {source if path else project}/. {path or '.'}")
    elif action == "actions/cache":
        assert step["with"]["path"] == "pocl-cache", step
    else:
        assert set(step) == {"name", "run"} and "${{" not in step["run"], step
        print("while IFS= read -r line; do export \"${line?}\"; done <github.env")
        print(f"sh -ec {shlex.quote(step['run'])}")
