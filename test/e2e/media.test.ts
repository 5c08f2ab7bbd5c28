// Uploaded pictures: /media, and the files at /media/… below the site.
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { openMediaFolder } from '../../src/calendar/picture/media/folder.ts';
import { openPictureMaker } from '../../src/calendar/picture/media/renditions.ts';
import type { Stores } from '../../src/stores.ts';
import { formWith, hugePng, photo, png } from '../support/pictures.ts';
import { type As, someEvent, startTestService, type TestService, temporaryFolder } from '../support/service.ts';

const test = suite('uploaded pictures');

let daybook: TestService;
let folder: ReturnType<typeof temporaryFolder>;
let media: string;

test.before(async () => {
  folder = temporaryFolder();
  media = path.join(folder.folder, 'media');
  daybook = await startTestService({ environment: { DAYBOOK_MEDIA: media, DAYBOOK_MAX_UPLOAD: '1' } });
});
test.after(async () => {
  await daybook.close();
  folder.remove();
});

async function upload(as: As, file: Uint8Array, fields: { [name: string]: string } = {}, headers = {}) {
  const form = await formWith(file, fields);
  return daybook.request(as, 'POST', '/media', form.body, { ...form.headers, ...headers });
}

const files = (): string[] => (existsSync(media) ? readdirSync(media) : []);

test('a picture is upright, without metadata, in the sizes of the contract, for its owner alone', async () => {
  const { status, body, headers } = await upload('author', await photo(), {
    title: 'Bridge',
    alt: 'A bridge\nat night',
  });
  assert.is(status, 201);
  assert.is(headers.location, `http://cal.example/calendar/events/v1/media/${body.id}`);
  assert.equal([body.width, body.height, body.mime_type, body.title], [800, 1200, 'image/jpeg', 'Bridge']);
  assert.is(body.alt, 'A bridge at night');
  assert.equal(Object.keys(body.sizes), ['thumbnail', 'medium', 'medium_large', 'large']);
  const boxes = Object.values(body.sizes as { [name: string]: { width: number; height: number } });
  assert.equal(
    boxes.map(({ width, height }) => [width, height]),
    [
      [150, 150],
      [200, 300],
      [768, 1152],
      [683, 1024],
    ],
  );
  assert.is(files().length, 5);
  for (const name of files()) {
    const about = await sharp(readFileSync(path.join(media, name))).metadata();
    assert.equal([about.exif, about.orientation], [undefined, undefined], name);
    assert.is(statSync(path.join(media, name)).mode & 0o777, 0o600);
  }
  assert.is(statSync(media).mode & 0o777, 0o700);
});

test('a file is served for ever, as the picture that it is, and by no other name', async () => {
  const { body } = await upload('author', await png(40, 30));
  assert.equal([body.mime_type, body.sizes], ['image/png', {}]);
  const { pathname } = new URL(body.url);
  const got = await daybook.get(`/${pathname}`);
  assert.equal(
    [got.status, got.headers['content-type'], got.headers['content-length']],
    [200, 'image/png', String(body.filesize)],
  );
  assert.match(got.headers['cache-control'] ?? '', /immutable/);
  assert.is(got.headers['x-content-type-options'], 'nosniff');
  assert.is((await daybook.get(`/${pathname}`, 'anonymous', { 'if-none-match': got.headers.etag ?? '' })).status, 304);
  for (const wrong of ['//media/none.png', '//media/..%2fdaybook.db', '//media/'])
    assert.is((await daybook.get(wrong)).status, 404, wrong);
});

test('posts show a picture by its id, with its sizes, at the address of the site', async () => {
  const picture = (await upload('author', await photo())).body;
  const event = await daybook.created('author', 'events', someEvent({ image: picture.id }));
  const { url, id, extension, width, height, filesize, sizes } = event.image;
  assert.equal([id, url, extension, width, height], [picture.id, picture.url, 'jpg', 800, 1200]);
  assert.equal([filesize, sizes], [picture.filesize, picture.sizes]);
  assert.is((await daybook.get(`/events/${event.id}`)).body.json_ld.image, picture.url);
  const venue = await daybook.created('author', 'venues', { venue: 'Hall', image: String(picture.id) });
  assert.is(venue.image.id, picture.id);
  assert.is((await daybook.get(`/media/${picture.id}`, 'author')).body.used, 2);
});

test('pages show a picture with its sizes, and with the words that it has now', async () => {
  const picture = (await upload('author', await photo(), { alt: 'A bridge' })).body;
  const event = await daybook.created('editor', 'events', someEvent({ title: 'Cut evening', image: picture.id }));
  const pageOf = async (url: string) => (await daybook.get(`/${new URL(url).pathname}`)).text;
  const shown = /<img class="picture"[^>]*>/.exec(await pageOf(event.url))?.[0] ?? '';
  const paths = [...['medium', 'large'].map((name) => picture.sizes[name].url), picture.url].map(
    (url) => new URL(url).pathname,
  );
  for (const one of [' alt="A bridge"', ' width="800" height="1200"', `${paths[0]} 200w,`, `${paths[1]} 683w,`])
    assert.ok(shown.includes(one), `${shown} has ${one}`);
  assert.ok(shown.includes(`${paths[2]} 800w"`), shown);
  assert.not.match(shown, /150w/);
  await daybook.request('author', 'PATCH', `/media/${picture.id}`, { alt: 'The old bridge' });
  assert.match(await pageOf(event.url), / alt="The old bridge"/);
  const venue = await daybook.created('editor', 'venues', { venue: 'Bank', image: picture.id });
  assert.match(await pageOf(venue.url), / alt="The old bridge"/);
  const change = (body: object) => daybook.request('author', 'PATCH', `/media/${picture.id}`, body);
  const { body } = await change({ credit: 'Ann & Lee', focus_x: 28, focus_y: '80' });
  assert.equal([body.alt, body.credit, body.focus_x, body.focus_y], ['The old bridge', 'Ann & Lee', 28, 80]);
  const credited = /<figure><img class="picture across-3 down-8"[^>]*><figcaption>Picture: Ann &amp; Lee<\/figcaption>/;
  for (const url of [event.url, venue.url]) assert.match(await pageOf(url), credited);
  assert.match(await pageOf(event.url), /"image":\{"@type":"ImageObject","url":"[^"]+","creditText":"Ann & Lee"\}/);
  assert.match((await daybook.get('//?search=cut')).text, /<img class="across-3 down-8" src="/);
  await change({ focus_x: 50, focus_y: 50, credit: '' });
  assert.match(await pageOf(event.url), /<\/header><img class="picture" /);
  for (const wrong of [{ focus_x: 101 }, { focus_y: -1 }, { focus_x: 'left' }])
    assert.is((await change(wrong)).status, 400, JSON.stringify(wrong));
});

test('histories and fields as written name a picture without the address of the site', async () => {
  const picture = (await upload('author', await photo())).body;
  const event = await daybook.created('editor', 'events', someEvent({ image: picture.id }));
  const { pathname } = new URL(picture.url);
  const { fields } = (await daybook.get(`/events/${event.id}/fields`, 'editor')).body;
  assert.equal([fields.image.id, fields.image.url], [picture.id, pathname]);
  const { history } = (await daybook.get(`/events/${event.id}/history`, 'editor')).body;
  const { after } = history.at(-1).changes.find(({ field }: { field: string }) => field === 'image');
  assert.equal([after.url, after.sizes.medium.url], [pathname, new URL(picture.sizes.medium.url).pathname]);
});

test('what a post shows is not removed; what none shows is gone, with its files', async () => {
  const before = files();
  const picture = (await upload('author', await png(400, 300))).body;
  const event = await daybook.created('author', 'events', someEvent({ image: picture.id }));
  const target = `/media/${picture.id}`;
  assert.is((await daybook.request('author', 'DELETE', target)).body.code, 'rest_picture_in_use');
  await daybook.request('author', 'PATCH', `/events/${event.id}`, { image: 'https://pictures.example/1.jpg' });
  assert.is((await daybook.request('author', 'DELETE', target)).status, 200);
  assert.equal(files(), before);
  assert.is((await daybook.get(target, 'author')).body.code, 'rest_picture_not_found');
  assert.is((await daybook.request('author', 'DELETE', target)).body.code, 'rest_picture_not_found');
  const used = await daybook.request('author', 'POST', '/events', someEvent({ image: picture.id }));
  assert.is(used.status, 400);
});

test('its words are changed by its author and by editors', async () => {
  const { id } = (await upload('author', await png(20, 20), { alt: 'One' })).body;
  const change = (as: As) => daybook.request(as, 'PATCH', `/media/${id}`, { alt: `By ${as}` });
  assert.equal(
    [(await change('author')).body.alt, (await change('editor')).body.alt, (await change('otherAuthor')).status],
    ['By author', 'By editor', 403],
  );
  assert.is((await daybook.get(`/media/${id}`, 'author')).body.alt, 'By editor');
});

test('pictures are received and listed for those who may upload', async () => {
  const file = await png(20, 20);
  const statuses = async (as: As) => [
    (await upload(as, file)).status,
    (await daybook.get('/media', as)).status,
    (await daybook.get('/media/1', as)).status,
  ];
  const before = files();
  assert.equal(await statuses('anonymous'), [401, 401, 401]);
  assert.equal(await statuses('contributor'), [403, 403, 403]);
  assert.equal(files(), before);
  assert.equal((await statuses('editor')).slice(0, 2), [201, 200]);
  const own = (await daybook.get(`/media?author=${daybook.userId('editor')}`, 'author')).body;
  assert.equal([own.total, own.media.length], [1, 1]);
  const all = (await daybook.get('/media?per_page=2&page=2', 'author')).body;
  assert.ok(all.total > 3 && all.media[0].id > all.media[1].id);
  assert.is((await daybook.get('/media?page=99', 'author')).body.code, 'rest_picture_page_not_found');
});

test('pictures are found by words in title, text and file, whatever their case, on several pages', async () => {
  const alike: number[] = [];
  for (const [title, alt] of [
    ['Köln', 'Cathedral'],
    ['', 'The old CATHEDRAL of Koln'],
    ['Harbour', 'Cathedral'],
  ] as const)
    alike.push((await upload('author', await png(9, 9), { title, alt })).body.id);
  const found = async (search: string, more = '') =>
    (await daybook.get(`/media?search=${encodeURIComponent(search)}${more}`, 'author')).body;
  const idsOf = ({ media: all }: { media: { id: number }[] }) => all.map(({ id }) => id);
  assert.equal(idsOf(await found('koln cathedral')), [alike[1], alike[0]]);
  const second = await found('cathedral', '&per_page=2&page=2');
  assert.equal([second.total, second.total_pages, idsOf(second)], [3, 2, [alike[0]]]);
  const { url } = (await daybook.get(`/media/${alike[2]}`, 'author')).body;
  assert.equal(idsOf(await found(path.basename(url))), [alike[2]]);
  assert.is((await found('cathedral', `&author=${daybook.userId('editor')}`)).total, 0);
  assert.is((await daybook.get('/media?search=cathedral')).status, 401);
});

test('what was said about a removed picture cannot be read any more, from the log neither', async () => {
  const words = 'Ann Archer on stage';
  const { id } = (await upload('author', await png(9, 9), { alt: words })).body;
  await daybook.request('author', 'PATCH', `/media/${id}`, { title: words, credit: words });
  const stored = async () => JSON.stringify(await daybook.stores.rawLog.readStream(`picture-${id}`));
  const read = async () => JSON.stringify(await daybook.store.readStream(`picture-${id}`));
  assert.not.ok((await stored()).includes(words), 'encrypted');
  assert.ok((await read()).includes(words));
  assert.is((await daybook.request('author', 'DELETE', `/media/${id}`)).status, 200);
  assert.not.ok((await read()).includes(words));
  assert.is(await daybook.stores.keys.destroy(`picture-${id}`), false, 'destroyed already');
  assert.not.ok(JSON.stringify((await daybook.get('/changes?types=picture', 'editor')).body).includes(words));
});

test('a removal that was interrupted is completed by asking again', async () => {
  const { body } = await upload('author', await png(9, 9), { alt: 'Words' });
  const state = await daybook.store.readStream(`picture-${body.id}`);
  const [uploaded] = state;
  assert.ok(uploaded);
  const { metadata } = uploaded;
  const removed = { id: randomUUID(), type: 'PictureRemoved', schemaVersion: 1, data: {}, metadata };
  await daybook.store.append([{ stream: `picture-${body.id}`, expected: 0, events: [removed] }]);
  const name = path.basename(body.url);
  assert.ok(files().includes(name));
  assert.is((await daybook.request('author', 'DELETE', `/media/${body.id}`)).status, 404);
  assert.not.ok(files().includes(name));
  assert.is(await daybook.stores.keys.destroy(`picture-${body.id}`), false);
});

const REFUSED: readonly (readonly [what: string, file: () => Uint8Array | Promise<Uint8Array>, code: string])[] = [
  ['a text with the name of a picture', () => Buffer.from('no picture'), 'rest_upload_not_a_picture'],
  ['the beginning of a picture', async () => (await photo()).subarray(0, 2_000), 'rest_upload_not_a_picture'],
  [
    'a drawing that is a program',
    () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    'rest_upload_not_a_picture',
  ],
  ['nothing', () => new Uint8Array(), 'rest_upload_missing'],
  ['more pixels than memory is for', () => hugePng(30_000, 20_000), 'rest_upload_not_a_picture'],
  ['a large file', () => new Uint8Array(1_048_577), 'rest_upload_too_large'],
];
for (const [what, file, code] of REFUSED)
  test(`${what} is refused: ${code}`, async () => {
    const before = files();
    const { status, body } = await upload('author', await file());
    assert.equal([body.code, status], [code, code === 'rest_upload_too_large' ? 413 : 400]);
    assert.ok(code !== 'rest_upload_too_large' || body.message.includes('1 MB'), body.message);
    assert.equal(files(), before);
  });

const CUT_OFF = '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nabc';

test('a form without the file, with another part, and no form are refused', async () => {
  const other = await formWith(await png(9, 9), {}, 'picture');
  const codes = [
    (await daybook.request('author', 'POST', '/media', other.body, other.headers)).body.code,
    (await daybook.request('author', 'POST', '/media', { file: 'x' })).body.code,
    (await daybook.request('author', 'POST', '/media', CUT_OFF, { 'content-type': 'multipart/form-data; boundary=b' }))
      .body.code,
  ];
  assert.equal(codes, ['rest_upload_missing', 'rest_upload_missing', 'rest_invalid_form']);
});

test('a repeated upload with a key is one picture, and leaves no files over', async () => {
  const file = await png(30, 30);
  const headers = { 'idempotency-key': 'one' };
  const first = await upload('author', file, {}, headers);
  const before = files();
  const again = await upload('author', file, {}, headers);
  assert.equal([first.status, again.status, again.body.id], [201, 200, first.body.id]);
  assert.equal(files(), before);
});

test('without a place for files, or without the library, everything else goes on', async () => {
  const blocked = path.join(folder.folder, 'no-folder');
  writeFileSync(blocked, '');
  const form = await formWith(await png(9, 9));
  for (const [status, wrap] of [
    [503, (stores: Stores): Stores => ({ ...stores, media: openMediaFolder(blocked) })],
    [501, (stores: Stores): Stores => ({ ...stores, pictures: openPictureMaker(async () => null) })],
  ] as const) {
    const other = await startTestService({ wrap });
    const answer = await other.request('author', 'POST', '/media', form.body, form.headers);
    assert.equal([answer.status, answer.body.code], [status, 'rest_pictures_unavailable']);
    assert.is((await other.get('/events')).status, 200);
    assert.is((await other.get('/media', 'author')).body.total, 0);
    await other.close();
  }
});

test('the feed of changes tells what happened to pictures, to those who may see them', async () => {
  const { body } = await daybook.get('/changes?types=picture&limit=2', 'editor');
  assert.equal([body.changes[0].kind, body.changes[0].summary], ['picture', 'Picture uploaded.']);
  assert.is((await daybook.get('/changes?types=picture', 'contributor')).status, 403);
});

test('the address of an uploaded picture is that picture, in whatever size and from whatever host', async () => {
  const { body: picture } = await upload('author', await photo(500, 400), { title: 'By address' });
  const file = new URL(picture.url).pathname;
  for (const address of [
    picture.url,
    picture.sizes.thumbnail.url,
    `https://old.example${file}?x=1#y`,
    String(picture.id),
  ]) {
    const event = await daybook.created('editor', 'events', someEvent({ image: address }));
    assert.equal([event.image.id, event.image.url], [picture.id, picture.url], address);
  }
  assert.is((await daybook.get(`/media/${picture.id}`, 'author')).body.used, 4);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const venue = await daybook.request(
    'editor',
    'POST',
    '/venues',
    `venue=Pier&image=${encodeURIComponent(picture.url)}`,
    form,
  );
  assert.is(venue.body.image.id, picture.id);
  for (const address of ['https://x.example/media/other.jpg', `https://x.example/a${file}`, `${picture.url}/b`]) {
    const event = await daybook.created('editor', 'events', someEvent({ image: address }));
    assert.is(event.image.url, address, 'others are addresses');
    assert.is.not(event.image.id, picture.id);
  }
});

test('many at once are made one after the other, and none is refused for that', async () => {
  let inside = 0;
  let most = 0;
  const maker = openPictureMaker();
  const pictures: Stores['pictures'] = {
    async render(bytes, stem) {
      inside += 1;
      most = Math.max(most, inside);
      try {
        return await maker.render(bytes, stem);
      } finally {
        inside -= 1;
      }
    },
  };
  const other = await startTestService({ wrap: (stores: Stores): Stores => ({ ...stores, pictures }) });
  const form = await formWith(await photo(400, 300));
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => other.request('author', 'POST', '/media', form.body, form.headers)),
  );
  assert.equal(
    answers.map(({ status }) => status),
    Array(10).fill(201),
  );
  assert.is(most, 1);
  await other.close();
});

test('a large picture is decoded as a whole for itself and once for all its sizes, also one of 16 bits', async () => {
  const [width, height] = [4_000, 3_200];
  const background = { r: 200, g: 40, b: 90 };
  const large = sharp({ create: { width, height, channels: 3, background } })
    .toColourspace('rgb16')
    .png();
  const bytes = new Uint8Array(await large.toBuffer());
  let decoded = 0;
  const maker = openPictureMaker(async () => (input, options) => {
    if (input === bytes) decoded += 1;
    return sharp(input, options);
  });
  const rendered = await maker.render(bytes, 'large');
  assert.type(rendered, 'object');
  if (typeof rendered === 'string') return;
  const sizes = Object.values(rendered.sizes).map((size) => [size.width, size.height]);
  const expected = [
    [150, 150],
    [300, 240],
    [768, 614],
    [1024, 819],
    [1536, 1229],
    [2048, 1638],
  ];
  assert.equal([sizes, rendered.file.width, rendered.file.height], [expected, width, height]);
  assert.is(decoded, 3, 'looked at, encoded anew, reduced');
  const [, thumbnail] = rendered.files;
  const { dominant } = await sharp(thumbnail?.bytes).stats();
  assert.ok(Math.abs(dominant.r - 200) <= 8 && Math.abs(dominant.g - 40) <= 8, JSON.stringify(dominant));
});

test.run();
