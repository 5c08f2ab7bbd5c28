// The time of an event in the zone of the visitor, where clocks show another one there. It stands in the page behind the time and
// runs before what follows is laid out, so nothing moves. A clock without a zone is read in that of the visitor.
const { dateTime, dataset } = document.querySelector('time[data-end]');
const [start, end, clock] = [dateTime, dataset.end, dataset.clock].map((text) => new Date(text));
if (start - clock !== 0) {
  const format = new Intl.DateTimeFormat(document.documentElement.lang, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  });
  const line = document.createElement('span');
  line.className = 'local';
  line.textContent = `${dataset.label}: ${format.formatRange(start, end)}`;
  document.currentScript.before(line);
}
