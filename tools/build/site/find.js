// The search of the pages: every word of the query must occur in an entry of find_data.js. Words in
// its title count most.
'use strict';
document.addEventListener('DOMContentLoaded', () => {
    const input = document.getElementById('find');
    const list = document.getElementById('found');
    const escape = text => text.replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`);
    const texts = findData.map(([title, , text]) => [title.toLowerCase(), text.toLowerCase()]);

    function score(words, [title, text]) {
        let sum = 0;
        for (const word of words) {
            if (title.startsWith(word))
                sum += 20;
            else if (title.includes(word))
                sum += 10;
            else if (text.includes(word))
                sum += 1;
            else
                return 0;
        }
        return sum - title.length / 1000;
    }

    // The text around the first word that is found in it.
    function excerpt(words, text) {
        const at = Math.max(0, text.toLowerCase().indexOf(words[0]) - 60);
        return (at ? '... ' : '') + text.slice(at, at + 160);
    }

    input.addEventListener('input', () => {
        const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
        const hits = words.length === 0 ? [] :
            texts.map((entry, i) => [score(words, entry), i]).filter(([sum]) => sum > 0);
        hits.sort((a, b) => b[0] - a[0]);
        list.innerHTML = hits.slice(0, 15).map(([, i]) => {
            const [title, address, text] = findData[i];
            return `<li><a href="${address}">${escape(title)}</a>` +
                `<p>${escape(excerpt(words, text))}</p></li>`;
        }).join('') || (words.length ? '<li>Nothing was found</li>' : '');
    });
    input.addEventListener('keydown', event => {
        const first = list.querySelector('a');
        if (event.key === 'Enter' && first)
            location.href = first.href;
        else if (event.key === 'Escape')
            list.innerHTML = input.value = '';
    });
    list.addEventListener('click', () => setTimeout(() => { list.innerHTML = ''; }));
    const query = new URLSearchParams(location.search).get('find');
    if (query) {
        input.value = query;
        input.dispatchEvent(new Event('input'));
    }
});
