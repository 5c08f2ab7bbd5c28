// What a browser adds to pages that are complete without it.

// Copying and sharing the address, or a text. Buttons may come with a list that is shown later.
async function copy(button) {
  const label = button.textContent;
  button.setAttribute('aria-live', 'polite');
  await navigator.clipboard.writeText(button.dataset.copy || location.href);
  button.textContent = button.dataset.done;
  setTimeout(() => {
    button.textContent = label;
  }, 2500);
}
document.addEventListener('click', ({ target }) => {
  const button = target.closest('[data-copy], [data-share]');
  if (button?.matches('[data-copy]')) copy(button);
  // Refused when the visitor closes the sheet.
  else if (button) navigator.share({ title: document.title, url: location.href }).catch(() => {});
});
function offerSharing() {
  for (const button of document.querySelectorAll('[data-share]')) button.hidden = navigator.share === undefined;
}
offerSharing();

// What is to be printed has been laid out by then.
if (location.hash === '#print') addEventListener('load', () => print());

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
        field.closest('details').open = true;
        field.setCustomValidity(button.dataset.nearMe);
        field.reportValidity();
      },
    );
  });
  field.addEventListener('input', () => field.setCustomValidity(''));
}

/** Titles of what is found, while it is looked for. */
function suggestFound() {
  const titles = [...document.querySelectorAll('#results .title')].map(({ textContent }) => textContent);
  const options = [...new Set(titles)].map((value) => Object.assign(document.createElement('option'), { value }));
  document.getElementById('found')?.replaceChildren(...options);
}
document.addEventListener('filtered', () => {
  suggestFound();
  offerSharing();
});

// A month as a grid, by the pattern of the W3C: one of its cells is in the order of focus, and keys lead from there to the
// others. A day without events is its link; in one with events, Enter leads to its links, and Escape back.
for (const grid of document.querySelectorAll('table.month')) {
  grid.setAttribute('role', 'grid');
  const cells = [...grid.querySelectorAll('a.day')].map((day) => day.closest('td'));
  const linksOf = (cell) => [...cell.querySelectorAll('a')];
  const stopOf = (cell) => (linksOf(cell).length === 1 ? linksOf(cell)[0] : cell);
  const isShown = (cell) => cell.checkVisibility();
  const choose = (cell) => {
    for (const one of cells) stopOf(one).tabIndex = one === cell ? 0 : -1;
  };
  for (const link of cells.flatMap(linksOf)) link.tabIndex = -1;
  choose(cells.find((cell) => cell.matches('[aria-current]') && isShown(cell)) ?? cells.find(isShown) ?? cells[0]);
  const steps = {
    ArrowLeft: () => -1,
    ArrowRight: () => 1,
    ArrowUp: () => -7,
    ArrowDown: () => 7,
    Home: (cell, isWhole) => (isWhole ? -cells.length : -cell.cellIndex),
    End: (cell, isWhole) => (isWhole ? cells.length : 6 - cell.cellIndex),
  };

  // Where a month is a list, days without events are hidden: the next one that is shown, or else the last one before it.
  const target = (from, step) => {
    const to = Math.min(Math.max(from + step, 0), cells.length - 1);
    const way = step < 0 ? -1 : 1;
    for (let at = to; at >= 0 && at < cells.length; at += way) if (isShown(cells[at])) return cells[at];
    return cells
      .slice(Math.min(from, to), Math.max(from, to) + 1)
      .filter(isShown)
      .at(way < 0 ? 0 : -1);
  };

  const move = (event, cell) => {
    const other = { PageUp: 'prev', PageDown: 'next' }[event.key];
    if (other) document.querySelector(`.months [rel=${other}]`).click();
    const step = steps[event.key]?.(cell, event.ctrlKey);
    if (step !== undefined) {
      const next = target(cells.indexOf(cell), step);
      choose(next);
      stopOf(next).focus();
    }
    return other !== undefined || step !== undefined;
  };
  const enter = (event, cell) => {
    if (event.key !== 'Enter' && event.key !== 'F2') return false;
    for (const link of linksOf(cell)) link.tabIndex = 0;
    linksOf(cell)[0].focus();
    return true;
  };
  const moveWithin = (event, cell) => {
    const links = linksOf(cell);
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (event.key === 'Escape' || event.key === 'F2') cell.focus();
    else if (step === undefined) return false;
    else links[(links.indexOf(event.target) + step + links.length) % links.length].focus();
    return true;
  };

  grid.addEventListener('keydown', (event) => {
    const cell = event.target.closest('td');
    const isEnd = event.key === 'Home' || event.key === 'End';
    if (!cells.includes(cell) || event.altKey || event.metaKey || (event.ctrlKey && !isEnd)) return;
    const isDone =
      event.target === cell
        ? move(event, cell) || enter(event, cell)
        : stopOf(cell) === cell
          ? moveWithin(event, cell)
          : move(event, cell);
    if (isDone) event.preventDefault();
  });
  grid.addEventListener('focusout', (event) => {
    const cell = event.target.closest('td');
    if (!cells.includes(cell) || stopOf(cell) !== cell) return;
    if (event.relatedTarget !== cell && cell.contains(event.relatedTarget)) return;
    for (const link of linksOf(cell)) link.tabIndex = -1;
  });
}
