// Inputs for days and times: a calendar to choose from, and what is typed is written as the page writes it. What reads days
// and times stands before it: written-dates.js.
const language = document.documentElement.lang;
const today = new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
const [dayFormat, timeFormat] = [DAY_STYLE, TIME_STYLE].map(
  (style) => new Intl.DateTimeFormat(language, { ...style, timeZone: 'UTC' }),
);

const dayText = (day) => dayFormat.format(new Date(`${day}T00:00Z`));
const timeText = (time) => timeFormat.format(new Date(`1970-01-01T${time}Z`)).replace(/\s/g, ' ');
const dayIn = (input) => readDay(language, input.value, today);

for (const input of document.querySelectorAll('input[data-day]')) offerCalendar(input);
for (const input of document.querySelectorAll('.moment .time'))
  input.addEventListener('change', () => {
    const time = readTime(input.value);
    if (time !== null) input.value = timeText(time);
  });

/** A button that opens the calendar of the browser; what is chosen or typed is written as the page writes it. */
function offerCalendar(input) {
  const calendar = document.createElement('input');
  Object.assign(calendar, { type: 'date', className: 'calendar', tabIndex: -1, ariaHidden: 'true' });
  const open = document.createElement('button');
  Object.assign(open, { type: 'button', className: 'pick', title: input.dataset.day, ariaLabel: input.dataset.day });
  open.addEventListener('click', () => {
    calendar.value = dayIn(input) ?? today;
    calendar.showPicker();
  });
  calendar.addEventListener('change', (event) => {
    event.stopPropagation();
    if (calendar.value === '') return;
    input.value = calendar.value;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  });
  input.addEventListener('change', () => {
    const day = dayIn(input);
    if (day !== null) input.value = dayText(day);
  });
  const around = Object.assign(document.createElement('span'), { className: 'day' });
  input.replaceWith(around);
  around.append(input, open, calendar);
}
