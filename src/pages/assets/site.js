// What a browser adds to pages that are complete without it.

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
  if (Number.isNaN(start.getTime())) continue;
  const local = format.formatRange(start, end);
  const zone = time.textContent.trim().split(' ').at(-1);
  if (local.endsWith(` ${zone}`)) continue;
  const line = document.createElement('span');
  line.className = 'local';
  line.textContent = `${time.dataset.label}: ${local}`;
  time.after(line);
}

// Copying and sharing the address, or a text.
for (const row of document.querySelectorAll('.share')) row.hidden = false;
for (const button of document.querySelectorAll('[data-copy]')) {
  const label = button.textContent;
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.dataset.copy || location.href);
    button.textContent = button.dataset.done;
    setTimeout(() => {
      button.textContent = label;
    }, 2500);
  });
}
for (const button of document.querySelectorAll('[data-share]')) {
  button.hidden = navigator.share === undefined;
  button.addEventListener('click', () =>
    // Refused when the visitor closes the sheet.
    navigator.share({ title: document.title, url: location.href }).catch(() => {}),
  );
}

// A place near the visitor, to about a kilometre.
for (const button of document.querySelectorAll('[data-near-me]')) {
  const field = button.form.elements.namedItem('near');
  button.hidden = !('geolocation' in navigator) || !isSecureContext;
  button.addEventListener('click', () => {
    field.setCustomValidity('');
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude } }) => {
        field.value = `${latitude.toFixed(2)}, ${longitude.toFixed(2)}`;
        button.form.requestSubmit();
      },
      () => {
        field.setCustomValidity(button.dataset.nearMe);
        field.reportValidity();
      },
    );
  });
  field.addEventListener('input', () => field.setCustomValidity(''));
}

// Fields that were left empty stay out of the address.
for (const form of document.querySelectorAll('form.filters'))
  form.addEventListener('formdata', ({ formData }) => {
    for (const [name, value] of [...formData]) if (value === '') formData.delete(name);
  });

// A month as a grid: one of its days is in the order of focus, and arrows lead from there to the others.
for (const grid of document.querySelectorAll('table.month')) {
  grid.setAttribute('role', 'grid');
  const days = [...grid.querySelectorAll('a.day')];
  const enter = (day) => {
    for (const one of days) one.tabIndex = one === day ? 0 : -1;
  };
  enter(grid.querySelector('td[aria-current] a.day') ?? days[0]);
  const column = (day) => day.closest('td').cellIndex;
  const steps = {
    ArrowLeft: () => -1,
    ArrowRight: () => 1,
    ArrowUp: () => -7,
    ArrowDown: () => 7,
    Home: (day) => -column(day),
    End: (day) => 6 - column(day),
  };
  grid.addEventListener('keydown', (event) => {
    const at = days.indexOf(event.target);
    if (at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    const other = { PageUp: 'prev', PageDown: 'next' }[event.key];
    if (other) document.querySelector(`.months [rel=${other}]`).click();
    const step = steps[event.key]?.(event.target);
    if (!other && step === undefined) return;
    event.preventDefault();
    const day = days[Math.min(Math.max(at + (step ?? 0), 0), days.length - 1)];
    enter(day);
    day.focus();
  });
}
