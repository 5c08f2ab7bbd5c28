// The form of an event, which works without this file: the end follows the start, names of venues and organizers are
// suggested, and a rule is said with its dates. Before it stand written-dates.js and moments.js.
const form = document.querySelector('form.event-form');

for (const input of form.querySelectorAll('input[data-find]')) suggest(input);
followStart();
sayDates();

/** The end keeps its distance from the start. */
function followStart() {
  const inputs = (name) => [form.elements[name], form.elements[`${name}_time`]];
  const momentOf = (name) => {
    const [day, time] = inputs(name);
    return Date.parse(`${dayIn(day)}T${readTime(time.value)}Z`);
  };
  let before = momentOf('start_date');
  for (const input of inputs('start_date'))
    input.addEventListener('change', () => {
      const [start, end] = [momentOf('start_date'), momentOf('end_date')];
      if (Number.isNaN(start)) return;
      if (!Number.isNaN(end) && !Number.isNaN(before)) {
        const [day, time] = inputs('end_date');
        const moved = new Date(end + start - before).toISOString();
        day.value = dayText(moved.slice(0, 10));
        time.value = timeText(moved.slice(11, 16));
      }
      before = start;
    });
}

/** What the rule means, and a calendar of its dates: a day that is pressed is taken out, or put back. */
function sayDates() {
  const { recurrence, recurrence_ends: ends, recurrence_except: except } = form.elements;
  const part = form.querySelector('.repeats');
  if (!part) return;
  const ask = async () => {
    const fields = [...new FormData(form)].filter(([name]) => /^(recurrence|start_date|timezone|all_day)/.test(name));
    const query = new URLSearchParams(fields);
    const answer = await fetch(new URL(`../desk/events/repeats?${query}`, import.meta.url));
    if (answer.ok) part.innerHTML = await answer.text();
  };
  form.addEventListener('change', ({ target }) => {
    if (target === recurrence) recurrence.closest('.recurs').querySelector('details').open = recurrence.value !== '';
    // What is hidden does not count.
    if (target === ends && ends.value !== 'on') form.elements.recurrence_until.value = '';
    if (target === ends && ends.value !== 'after') form.elements.recurrence_count.value = '';
    if (/^(recurrence|start_date|timezone|all_day)/.test(target.name)) ask();
  });
  part.addEventListener('click', async ({ target }) => {
    const day = target.dataset.except;
    if (day === undefined || !except) return;
    const lines = except.value.split('\n').filter((line) => line.trim() !== '');
    const days = lines.map((line) => readDay(language, line, today) ?? line);
    except.value = (days.includes(day) ? days.filter((one) => one !== day) : [...days, day].sort()).join('\n');
    except.dispatchEvent(new Event('change', { bubbles: true }));
    target.setAttribute('aria-pressed', String(!days.includes(day)));
  });
}

/** Names of venues or organizers that have the typed words. Where none has just this name, one can be made in place. */
function suggest(input) {
  let asked = '';
  let waiting = 0;
  const create = input.closest('.links').querySelector('.create');
  const ask = async () => {
    asked = input.value;
    const query = new URLSearchParams({ kind: input.dataset.find, search: asked });
    const answer = await fetch(new URL(`../desk/events/find?${query}`, import.meta.url));
    if (!answer.ok || input.value !== asked) return;
    const found = await answer.json();
    input.list.replaceChildren(
      ...found.map(({ name, place }) =>
        Object.assign(document.createElement('option'), { value: name, textContent: place }),
      ),
    );
    offerNew(found.map(({ name }) => name.toLowerCase()));
  };
  const offerNew = (names) => {
    const name = input.value.trim().toLowerCase();
    create.hidden = name === '' || names.includes(name);
    if (create.hidden) create.querySelector('[type="checkbox"]').checked = false;
  };
  input.addEventListener('input', () => {
    clearTimeout(waiting);
    if (input.value.trim() === '') offerNew([]);
    if (input.value.trim().length > 1 && input.value !== asked) waiting = setTimeout(ask, 200);
  });
}
