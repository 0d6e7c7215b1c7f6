/* devices.c: 'clsort devices'. */
#include "cli/command.h"
#include "cli/command_line.h"
#include "io/bytes.h"
#include "memory/device.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/options.h"

#include <stdio.h>
#include <stdlib.h>

static const char help[] =
    "Usage: clsort devices [--json]\n"
    "\n"
    "Lists the OpenCL devices. The one marked * is used unless -D names another: it is\n"
    "CLSORT_DEVICE's choice, or else the best. -D and CLSORT_DEVICE take the index, or a part\n"
    "of the device's or platform's name.\n"
    "\n"
    "      --json   one JSON object a line instead\n"
    "  -h, --help   this text\n"
    "\n"
    "Examples:\n"
    "  clsort devices\n"
    "  clsort devices --json\n"
    "  CLSORT_DEVICE=nvidia clsort devices";

static void print_json(uint32_t index, const struct device_facts *facts, bool is_chosen)
{
    struct json json;
    json_begin(&json);
    json_count(&json, "index", index);
    json_flag(&json, "chosen", is_chosen);
    json_device(&json, facts);
    json_text(&json, "kind", facts->kind);
    json_count(&json, "compute_units", facts->compute_units);
    json_count(&json, "memory", facts->memory);
    json_count(&json, "max_alloc", facts->max_alloc);
    json_count(&json, "local_memory", facts->local_memory);
    json_flag(&json, "unified_memory", facts->is_unified);
    json_end(&json, stdout);
}

static void print_text(uint32_t index, const struct device_facts *facts, bool is_chosen)
{
    char memory[SIZE_TEXT], max_alloc[SIZE_TEXT], local_memory[SIZE_TEXT];
    printf("%c %u  %s\n", is_chosen ? '*' : ' ', (unsigned)index, facts->name);
    printf("     %s on %s; driver %s; %s\n", facts->kind, facts->platform, facts->driver,
           facts->version);
    printf("     %u compute units; memory %s%s, %s in one buffer; local memory %s\n",
           (unsigned)facts->compute_units, size_text(facts->memory, memory),
           facts->is_unified ? ", the host's" : "", size_text(facts->max_alloc, max_alloc),
           size_text(facts->local_memory, local_memory));
}

static int list_devices(bool is_json)
{
    uint32_t num_devices = 0;
    if (!device_has_room())
        return EXIT_TROUBLE;
    device_check(clsort_devices(NULL, 0, &num_devices), NULL);
    cl_device_id *devices = zeroed(num_devices, sizeof(*devices));
    const uint32_t capacity = num_devices;
    clsort_devices(devices, capacity, &num_devices);
    if (num_devices > capacity)
        num_devices = capacity;

    cl_device_id chosen = NULL;
    const clsort_status status = clsort_find_device(NULL, &chosen);
    for (uint32_t i = 0; i < num_devices; i++) {
        const bool is_chosen = !status && devices[i] == chosen;
        struct device_facts facts;
        device_get_facts(devices[i], &facts);
        (is_json ? print_json : print_text)(i, &facts, is_chosen);
    }
    free(devices);
    if (status)
        message("none would be chosen: %s", clsort_status_text(status));
    return EXIT_DONE;
}

int command_devices(int argc, char **argv)
{
    static bool is_json;
    static const struct argument arguments[] = {{"json", .flag = &is_json}, {0}};
    static const struct command_line line = {"devices", help, .arguments = arguments};
    const int status = command_line_read(&line, argc, argv, NULL);
    return status == GO_ON ? list_devices(is_json) : status;
}
