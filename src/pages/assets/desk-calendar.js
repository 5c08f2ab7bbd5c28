// The calendar at the desk: events are moved and stretched by mouse and by keys. It asks the desk for what it shows, and the
// desk carries each move out, or says why not; then the event is back where it was.
const place = document.querySelector('#calendar');
const words = JSON.parse(place.dataset.words);
const said = document.querySelector('#calendar-said');
const scopes = document.querySelector('#calendar-scope');
const MINUTES = 15;
/** The site may be under a path, where this script is, too. */
const SCRIPT = document.currentScript.src;
const withinSite = (path) => new URL(`..${path}`, SCRIPT);
const LOOKS_OF_VIEWS = { month: 'dayGridMonth', week: 'timeGridWeek', day: 'timeGridDay' };

/** What is moved by keys: its entry, and where it was. */
let held = null;
/** The move that can be undone. */
let last = null;

place.replaceChildren();
// It says that it is a table, but has no rows: then it is read as what it is, days with their events. What scrolls is scrolled
// by keys, too.
new MutationObserver(() => {
  for (const named of place.querySelectorAll(':is([role^=row], [role=table], [role=columnheader], [role=cell])')) {
    named.removeAttribute('role');
    named.removeAttribute('aria-colindex');
  }
  for (const main of place.querySelectorAll('.ec-main')) main.tabIndex = 0;
}).observe(place, { childList: true, subtree: true });
document.querySelector('#calendar-keys').hidden = false;
const calendar = EventCalendar.create(place, {
  view:
    LOOKS_OF_VIEWS[new URLSearchParams(location.search).get('view')] ??
    (innerWidth < 640 ? 'timeGridDay' : 'dayGridMonth'),
  date: place.dataset.date,
  locale: place.dataset.language,
  firstDay: 1,
  height: 'max(34rem, 75vh)',
  scrollTime: '08:00',
  dayMaxEvents: true,
  nowIndicator: true,
  editable: true,
  headerToolbar: { start: 'title', center: 'dayGridMonth,timeGridWeek,timeGridDay', end: 'today prev,next' },
  views: {
    // Each view would bring English names of its own.
    ...Object.fromEntries(Object.values(LOOKS_OF_VIEWS).map((view) => [view, { buttonText: words }])),
    // Room for three events a day with titles of two lines: in less they would all be behind a number.
    dayGridMonth: { buttonText: words, height: 'max(72rem, 75vh)' },
  },
  buttonText: words,
  moreLinkContent: ({ num }) => words.more.replace('{count}', num),
  eventSources: [{ events: entriesFor }],
  eventContent: contentOf,
  eventClassNames: ({ event: { extendedProps } }) => `is-${extendedProps.look} ${extendedProps.hue}`,
  allDayContent: words.allDay,
  eventDidMount: ({ el, event }) => {
    el.dataset.id = event.id;
  },
  eventDrop: dropped,
  eventResize: dropped,
});
// By other filters.
document.addEventListener('filtered', () => calendar.refetchEvents());

async function entriesFor({ startStr, endStr }) {
  const url = new URL(document.querySelector('#entries').value, location.href);
  url.searchParams.set('from', startStr);
  url.searchParams.set('to', endStr);
  try {
    const answer = await fetch(url);
    return (await answer.json()).map(shownOf);
  } catch {
    say(words.failed);
    return [];
  }
}

/** Days end with the day after in this calendar. */
function shownOf(entry) {
  const { id, title, start, end, isAllDay, moves } = entry;
  return {
    ...{ id, title, start, allDay: isAllDay, editable: moves !== null, extendedProps: entry },
    end: isAllDay ? dayText(shifted(new Date(end), { days: 1 })) : end,
  };
}

/** A link, which neither its own dragging nor that of the calendar follows. */
function contentOf({ event, timeText }) {
  const { label, title, path, moves } = event.extendedProps;
  const link = element('a', '', 'entry');
  link.href = withinSite(path);
  link.draggable = false;
  if (moves !== null) link.setAttribute('aria-keyshortcuts', 'm');
  const parts = [
    event.allDay ? '' : element('span', timeText),
    element('strong', title),
    label === '' ? '' : element('small', label),
  ];
  link.append(...parts.filter((part) => part !== '').flatMap((part) => [part, ' ']));
  link.title = link.textContent.trim();
  return { domNodes: [link] };
}

function element(name, text, className = '') {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = className;
  return made;
}

/** Dropped by the mouse, or left where keys have moved it. */
async function dropped({ event, oldEvent, revert }) {
  const { extendedProps: entry } = event;
  const times = { start_date: startOf(event), end_date: endOf(event) };
  const scope = entry.isOfSeries ? await askScope(startOf(oldEvent), times.start_date) : 'this';
  if (scope === '') return revert();
  await carryOut({ entry, scope, was: { start_date: entry.start, end_date: entry.end }, to: times }, revert);
}

const startOf = ({ start }) => minuteText(start);
const endOf = ({ start, end, allDay }) => {
  if (!allDay) return minuteText(end ?? start);
  return `${dayText(end ? shifted(end, { days: -1 }) : start)}T23:59`;
};

/** '' if it is to stay. Dates of a series share their days, so other days are for one date alone. */
function askScope(from, to) {
  const isOtherDay = from.slice(0, 10) !== to.slice(0, 10);
  for (const button of scopes.querySelectorAll('[value=following], [value=all]')) button.hidden = isOtherDay;
  scopes.querySelector('.hint').hidden = !isOtherDay;
  scopes.returnValue = '';
  scopes.showModal();
  return new Promise((resolve) => {
    scopes.addEventListener('close', () => resolve(scopes.returnValue), { once: true });
  });
}

async function carryOut(move, revert) {
  const answer = await sent(move).catch(() => ({ problem: words.failed }));
  if (answer.problem !== undefined || answer.isProposed) revert();
  calendar.refetchEvents();
  if (answer.problem !== undefined) return refuse(move, answer.problem);
  if (answer.isProposed) return say(answer.said);
  last = { ...move, was: move.to, to: move.was };
  say(words.moved.replace('{title}', move.entry.title), words.undo, undo);
}

async function sent({ entry, scope, was, to }) {
  const answer = await fetch(place.dataset.move, {
    method: 'POST',
    headers: { 'x-csrf-token': place.dataset.token },
    body: new URLSearchParams({
      ...{ id: entry.moves, scope, _key: crypto.randomUUID(), ...to },
      ...{ was_start_date: was.start_date, was_end_date: was.end_date },
    }),
  });
  return answer.json();
}

async function undo() {
  const move = last;
  last = null;
  if (!move) return;
  const answer = await sent(move).catch(() => ({ problem: words.failed }));
  calendar.refetchEvents();
  if (answer.problem === undefined) say(words.undone);
  else refuse(move, answer.problem);
}

/** At the event, with the way to its form. */
function refuse({ entry }, problem) {
  const note = element('div', '', 'problems refused');
  note.setAttribute('role', 'alert');
  const form = element('a', words.form);
  form.href = withinSite(entry.path);
  const close = element('button', words.close);
  close.type = 'button';
  close.addEventListener('click', () => note.remove());
  const actions = element('p', '', 'actions');
  actions.append(form, close);
  note.append(element('p', `${entry.title}: ${problem}`), actions);
  document.querySelector('.refused')?.remove();
  say('');
  const at = elementOf(entry.id)?.getBoundingClientRect() ?? place.getBoundingClientRect();
  note.style.insetBlockStart = `${at.bottom + scrollY + 4}px`;
  note.style.insetInlineStart = `${Math.max(8, Math.min(at.left, innerWidth - 340))}px`;
  document.body.append(note);
}

function say(text, label, press) {
  document.querySelector('.refused')?.remove();
  said.textContent = text;
  said.className = text === '' ? '' : 'said';
  if (label === undefined) return;
  const button = element('button', label);
  button.type = 'button';
  button.addEventListener('click', press);
  said.append(' ', button);
}

const elementOf = (id) => place.querySelector(`[data-id="${id}"]`);
const idOf = (target) => target.closest?.('[data-id]')?.dataset.id;

// Keys: `m` takes the event that has the focus; arrows move it, with Shift they stretch it; Enter leaves it there, Escape puts
// it back.
document.addEventListener(
  'keydown',
  (pressed) => {
    const { key } = pressed;
    if ((pressed.ctrlKey || pressed.metaKey) && key === 'z' && last && !pressed.target.closest?.('input, textarea')) {
      pressed.preventDefault();
      undo();
    } else if (held) {
      pressed.preventDefault();
      pressed.stopPropagation();
      moveHeld(pressed);
    } else if (key === 'm' && !pressed.ctrlKey && !pressed.metaKey && !pressed.altKey) take(idOf(pressed.target));
  },
  true,
);

function take(id) {
  const event = id && calendar.getEventById(id);
  if (!event || event.extendedProps.moves === null) return;
  held = { event, old: event };
  say(words.moving.replace('{title}', event.extendedProps.title));
}

const isByDay = () => calendar.getView().type === 'dayGridMonth';

function stepOf(key, allDay) {
  if (key === 'ArrowLeft') return { days: -1 };
  if (key === 'ArrowRight') return { days: 1 };
  const sign = key === 'ArrowUp' ? -1 : 1;
  return isByDay() || allDay ? { days: 7 * sign } : { minutes: MINUTES * sign };
}

function moveHeld({ key, shiftKey }) {
  const { event, old } = held;
  if (key === 'Escape' || key === 'Enter') {
    held = null;
    const revert = () => calendar.updateEvent(old);
    if (key === 'Enter')
      dropped({ event, oldEvent: old, revert }).then(() => elementOf(event.id)?.querySelector('a')?.focus());
    else {
      revert();
      say(words.left);
    }
  } else if (key.startsWith('Arrow')) {
    const step = stepOf(key, event.allDay);
    const start = shiftKey ? event.start : shifted(event.start, step);
    const end = shifted(event.end ?? event.start, step);
    if (end < start) return;
    held.event = { ...event, start, end };
    calendar.updateEvent(held.event);
    const format = new Intl.DateTimeFormat(place.dataset.language, {
      dateStyle: 'medium',
      ...(event.allDay ? {} : { timeStyle: 'short' }),
    });
    say(`${event.extendedProps.title}: ${format.formatRange(start, end)}`);
  }
}

const two = (number) => String(number).padStart(2, '0');
const dayText = (date) => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
const minuteText = (date) => `${dayText(date)}T${two(date.getHours())}:${two(date.getMinutes())}`;

function shifted(date, { days = 0, minutes = 0 }) {
  const other = new Date(date);
  other.setDate(other.getDate() + days);
  other.setMinutes(other.getMinutes() + minutes);
  return other;
}
