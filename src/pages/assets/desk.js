// The desk works without this file. It keeps what was typed in the browser until it is saved, shows at once what a slider
// stands at, and listens to keys.
const PREFIX = 'daybook form ';
const SENT = 'daybook sent';

// The page after a form says that it was carried out: what it kept is saved now.
if (document.querySelector('.said')) localStorage.removeItem(sessionStorage.getItem(SENT) ?? '');
sessionStorage.removeItem(SENT);

for (const form of document.querySelectorAll('form[data-keep]')) keep(form);
for (const form of document.querySelectorAll('form[method="post"]')) sendOnce(form);
for (const part of document.querySelectorAll('.drop')) takePictures(part);
for (const input of document.querySelectorAll('input[data-submits]'))
  input.addEventListener('change', () => input.form.requestSubmit());

const keyList = document.querySelector('#keys');
if (keyList) listenToKeys(keyList);

// A new calendar is most likely in the zone of the browser.
for (const list of document.querySelectorAll('select[data-own-zone]')) {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const isThere = [...list.options].some(({ value }) => value === own);
  if (isThere && list.value === 'UTC' && list.form.action.endsWith('/desk/start')) list.value = own;
}

/** Single keys, outside of fields, unless they were switched off. */
function listenToKeys(list) {
  const OFF = 'daybook keys off';
  const presses = {
    '/': () => document.querySelector('.look-up input').focus(),
    n: () => location.assign(document.querySelector('.head a.main')?.href ?? '/desk/events/new'),
    '?': () => list.togglePopover(),
  };
  const isOn = list.querySelector('#keys-on');
  isOn.parentElement.hidden = false;
  isOn.checked = localStorage.getItem(OFF) === null;
  isOn.addEventListener('change', () => {
    if (isOn.checked) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, '1');
  });
  document.addEventListener('keydown', (pressed) => {
    const { key, target } = pressed;
    const isTyping =
      pressed.ctrlKey ||
      pressed.metaKey ||
      pressed.altKey ||
      target.closest?.('input, textarea, select, [contenteditable]');
    if (isTyping || !isOn.checked || !Object.hasOwn(presses, key)) return;
    pressed.preventDefault();
    presses[key]();
  });
}

/** A button that is pressed twice sends its form once. A page that the browser shows again may send it again. */
function sendOnce(form) {
  let isSent = false;
  form.addEventListener('submit', (event) => {
    if (isSent) event.preventDefault();
    isSent = true;
  });
  addEventListener('pageshow', () => {
    isSent = false;
  });
}

/** The fields that people fill in. Passwords and files are not kept. */
function typed(form) {
  const fields = [...new FormData(form)].filter(
    ([name, value]) => !name.startsWith('_') && name !== 'password' && typeof value === 'string',
  );
  return JSON.stringify(fields);
}

function keep(form) {
  const key = PREFIX + form.dataset.keep;
  const shown = typed(form);
  const kept = localStorage.getItem(key);
  const isTyped = 'typed' in form.dataset;
  if (kept !== null && kept !== shown && !isTyped) offer(form, key, JSON.parse(kept));
  const put = () => {
    const now = typed(form);
    if (now === shown && !isTyped) localStorage.removeItem(key);
    else localStorage.setItem(key, now);
  };
  form.addEventListener('input', put);
  form.addEventListener('change', put);
  form.addEventListener('submit', () => sessionStorage.setItem(SENT, key));
}

function offer(form, key, fields) {
  const note = document.createElement('div');
  note.className = 'note';
  note.setAttribute('role', 'status');
  const text = document.createElement('p');
  text.textContent = form.dataset.kept;
  const take = button(form.dataset.restore, () => {
    fill(form, fields);
    note.remove();
  });
  const discard = button(form.dataset.discard, () => {
    localStorage.removeItem(key);
    note.remove();
  });
  const actions = document.createElement('p');
  actions.className = 'actions';
  actions.append(take, discard);
  note.append(text, actions);
  form.before(note);
}

function button(label, press) {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = label;
  made.addEventListener('click', press);
  return made;
}

function fill(form, fields) {
  for (const control of form.elements) {
    if (control.name === '' || control.name.startsWith('_') || control.name === 'password') continue;
    const values = fields.filter(([name]) => name === control.name).map(([, value]) => value);
    if (control.type === 'checkbox' || control.type === 'radio') control.checked = values.includes(control.value);
    else if (control.type !== 'hidden' && values.length > 0) control.value = values[0];
    control.dispatchEvent(new Event('restored'));
  }
}

/** A picture can be dropped where it is chosen, and is shown before it is sent. */
function takePictures(part) {
  const input = part.querySelector('[type="file"]');
  const shown = document.createElement('img');
  shown.className = 'chosen';
  shown.alt = '';
  const show = () => {
    shown.remove();
    const [file] = input.files;
    if (file === undefined) return;
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      shown.src = reader.result;
      part.before(shown);
    });
    reader.readAsDataURL(file);
  };
  input.addEventListener('change', show);
  part.addEventListener('dragover', (event) => event.preventDefault());
  part.addEventListener('drop', (event) => {
    event.preventDefault();
    if (event.dataTransfer.files.length === 0) return;
    input.files = event.dataTransfer.files;
    show();
  });
}
