// The desk works without this file. It sends what is typed to be kept until it is saved, shows pictures before they are sent,
// and listens to keys.
/** Milliseconds after which typing has paused. */
const PAUSE = 1_000;
/** As long as what a browser sends for a page that is left may be, less some room. */
const MAX_LAST_WORDS = 60_000;
/** The site may be under a path, where this script is, too. */
const ACCOUNT = new URL('../desk/account', document.currentScript.src);

for (const form of document.querySelectorAll('form[data-unsaved]')) keep(form);
for (const form of document.querySelectorAll('form[method="post"]')) sendOnce(form);
for (const part of document.querySelectorAll('.drop')) takePictures(part);
for (const part of document.querySelectorAll('.focal')) choosePoint(part);
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
    n: () => location.assign(document.querySelector('.head a.main')?.href ?? new URL('events/new', ACCOUNT)),
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
    if (event.defaultPrevented) return;
    if (isSent) event.preventDefault();
    isSent = true;
  });
  addEventListener('pageshow', () => {
    isSent = false;
  });
}

/** What a form would send. Passwords and files are not kept. */
function fieldsOf(form) {
  const fields = [...new FormData(form)];
  return fields.filter(([name, value]) => name !== 'password' && typeof value === 'string');
}

function isOwn([name]) {
  return /^_(csrf|key|form)$/.test(name);
}

function typed(form) {
  return JSON.stringify(fieldsOf(form).filter(([name]) => !name.startsWith('_')));
}

/** What is typed is kept on the server: when typing pauses, and when the page is left. */
function keep(form) {
  const { unsaved, unkept, signIn, tooLarge, max } = form.dataset;
  let kept = typed(form);
  const opened = 'typed' in form.dataset ? '' : kept;
  let isSent = false;
  let waiting = 0;
  let sending = new AbortController();
  let underway = '';
  const note = noteOf(unkept, signIn);
  const refusal = noteOf(tooLarge);

  const bodyOf = (fields) => String(new URLSearchParams(fields));
  const isTooLarge = () => bodyOf(fieldsOf(form)).length > Number(max);
  const post = () => {
    const fields = fieldsOf(form);
    const body = bodyOf(typed(form) === opened ? fields.filter(isOwn) : fields);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const { signal } = sending;
    return fetch(unsaved, { method: 'POST', body, headers, signal, keepalive: body.length < MAX_LAST_WORDS });
  };
  const put = async () => {
    clearTimeout(waiting);
    const now = typed(form);
    if (isSent || now === kept || now === underway) return;
    refusal.remove();
    if (isTooLarge()) return form.prepend(refusal);
    underway = now;
    sending.abort();
    sending = new AbortController();
    const { signal } = sending;
    let answer = await post().catch(() => null);
    if (await isToRepeat(answer, form)) answer = await post().catch(() => null);
    if (signal.aborted) return;
    underway = '';
    if (answer?.ok) {
      kept = now;
      note.remove();
    } else if (!note.isConnected) form.prepend(note);
  };
  const later = () => {
    clearTimeout(waiting);
    waiting = setTimeout(put, PAUSE);
  };
  form.addEventListener('input', later);
  form.addEventListener('change', later);
  document.addEventListener('visibilitychange', put);
  addEventListener('pagehide', put);
  addEventListener('beforeunload', (event) => {
    put();
    const isLost = note.isConnected || bodyOf(fieldsOf(form)).length >= MAX_LAST_WORDS;
    if (isLost && !isSent && typed(form) !== kept) event.preventDefault();
  });
  form.addEventListener('submit', (event) => {
    if (isTooLarge()) {
      event.preventDefault();
      form.prepend(refusal);
      refusal.scrollIntoView();
      return;
    }
    isSent = true;
    sending.abort();
  });
  addEventListener('pageshow', () => {
    isSent = false;
  });
}

/** Whether another attempt may succeed: under another key after the form was saved, or with the token of another session. */
async function isToRepeat(answer, form) {
  if (answer?.status === 410) {
    form.elements._key.value = await answer.text();
    return true;
  }
  if (answer?.status !== 403) return false;
  const page = await fetch(ACCOUNT).catch(() => null);
  const [, token] = /name="_csrf" value="([^"]+)"/.exec((await page?.text()) ?? '') ?? [];
  if (token === undefined) return false;
  for (const input of document.querySelectorAll('[name="_csrf"]')) input.value = token;
  return true;
}

/** `signIn`: what a way to the sign-in is called; absent: there is none. */
function noteOf(text, signIn) {
  const note = document.createElement('div');
  note.className = 'note';
  note.role = 'alert';
  note.append(text);
  if (signIn === undefined) return note;
  const way = document.createElement('a');
  way.href = ACCOUNT;
  way.target = '_blank';
  way.textContent = signIn;
  note.append(' ', way);
  return note;
}

/** The point of a picture that stays in sight is pressed, or moved by its sliders; beside it stands what is left of it on a card. */
function choosePoint(part) {
  const { focus_x: across, focus_y: down } = part.closest('form').elements;
  const [whole, cut] = part.querySelectorAll('img');
  const point = part.querySelector('.point');
  const show = () => {
    point.style.left = `${across.value}%`;
    point.style.top = `${down.value}%`;
    cut.style.objectPosition = `${across.value}% ${down.value}%`;
  };
  whole.addEventListener('click', ({ offsetX, offsetY }) => {
    across.value = (100 * offsetX) / whole.clientWidth;
    down.value = (100 * offsetY) / whole.clientHeight;
    show();
  });
  for (const slider of [across, down]) slider.addEventListener('input', show);
  point.hidden = false;
  show();
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
