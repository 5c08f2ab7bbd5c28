// Lists are filtered as filters are touched, for visitors and at the desk: parts of the page at the new address take the place
// of those of this one. What cannot be shown so is shown by the browser, and says why.
const PAUSE_MS = 250;

for (const form of document.querySelectorAll('form.filters[method="get"]')) {
  // Fields that were left empty stay out of the address.
  form.addEventListener('formdata', ({ formData }) => {
    for (const [name, value] of [...formData]) if (value === '') formData.delete(name);
  });
  if (document.getElementById('results')) filterLive(form);
}

function filterLive(form) {
  let shown = location.pathname + location.search;
  /** What is shown, or will be once it has arrived. */
  let wanted = shown;
  let pause;

  function addressOfForm() {
    const query = new URLSearchParams(new FormData(form)).toString();
    return new URL(form.action).pathname + (query === '' ? '' : `?${query}`);
  }

  /** `entry`: whether the browser leads back to what was shown before. */
  async function show(entry) {
    clearTimeout(pause);
    const address = addressOfForm();
    if (address === wanted) return;
    wanted = address;
    const results = document.getElementById('results');
    results.classList.toggle('busy', address !== shown);
    if (address === shown) return;
    const answer = await fetch(address).catch(() => null);
    const text = await answer?.text();
    if (address !== wanted || address === shown) return;
    if (!answer?.ok) return location.assign(address);
    const page = new DOMParser().parseFromString(text, 'text/html');
    document.querySelector('h1').textContent = page.querySelector('h1').textContent;
    document.title = page.title;
    for (const part of document.querySelectorAll('[data-live]'))
      part.replaceChildren(...(page.getElementById(part.id)?.childNodes ?? []));
    results.classList.remove('busy');
    document.dispatchEvent(new Event('filtered'));
    history[entry === 'new' ? 'pushState' : 'replaceState'](null, '', address);
    shown = address;
  }

  form.addEventListener('change', () => show('new'));
  // Where a field has been touched and the button is pressed at once, the list is on its way.
  form.addEventListener('submit', (event) => {
    if (event.submitter?.hasAttribute('formaction') || addressOfForm() === shown) return;
    event.preventDefault();
    show('new');
  });
  form.addEventListener('input', ({ target }) => {
    if (target.type !== 'search') return;
    clearTimeout(pause);
    pause = setTimeout(show, PAUSE_MS, 'same');
  });
  addEventListener('popstate', () => {
    if (location.pathname + location.search !== shown) location.reload();
  });
}
