// Times in the zone of the visitor, where it is another than that of the event.
for (const time of document.querySelectorAll('time[data-end]')) {
  const [start, end] = [new Date(time.dateTime), new Date(time.dataset.end)];
  const format = new Intl.DateTimeFormat(document.documentElement.lang, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  });
  const local = format.formatRange(start, end);
  const zone = time.textContent.trim().split(' ').at(-1);
  if (Number.isNaN(start.getTime()) || local.endsWith(` ${zone}`)) continue;
  const line = document.createElement('span');
  line.className = 'local';
  line.textContent = `${time.dataset.label}: ${local}`;
  time.after(line);
}
