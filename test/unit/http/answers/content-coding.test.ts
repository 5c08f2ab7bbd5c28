import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PREFIX, type SendHeaders, someEvent, startTestService, type TestService } from '../../../support/service.ts';

const test = suite('content coding');

let service: TestService;
test.before(async () => {
  service = await startTestService();
  const description = `<p>${'A long evening with many guests. '.repeat(30)}</p>`;
  for (const title of ['Concert', 'Reading'])
    await service.created('editor', 'events', someEvent({ title, description }));
});
test.after(() => service.close());

async function raw(target: string, headers: SendHeaders = {}, method: 'GET' | 'HEAD' = 'GET') {
  const url = PREFIX + target;
  const answer = await service.service.app.inject({ method, url, headers: { host: 'cal.example', ...headers } });
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload };
}

/** Asks until the answer comes in this coding: requests do not wait for compression. */
async function inCoding(target: string, coding: string) {
  for (;;) {
    const answer = await raw(target, { 'accept-encoding': coding });
    if (answer.headers['content-encoding'] === coding) return answer;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test('every compressed form is the plain one, under a tag of its own', async () => {
  const target = '/events?per_page=4';
  const plain = await raw(target);
  const brotli = await inCoding(target, 'br');
  const gzip = await inCoding(target, 'gzip');
  assert.equal(brotliDecompressSync(brotli.bytes), plain.bytes);
  assert.equal(gunzipSync(gzip.bytes), plain.bytes);
  assert.is(new Set([plain, brotli, gzip].map(({ headers }) => headers.etag)).size, 3);
  assert.is(plain.headers['content-encoding'], undefined);
  for (const { headers, bytes } of [plain, brotli, gzip]) assert.is(Number(headers['content-length']), bytes.length);
  assert.is((await raw(target)).headers['content-encoding'], undefined);
});

test('a client gets the coding that it likes best, and none that it refuses', async () => {
  const target = '/events?per_page=4';
  await inCoding(target, 'br');
  await inCoding(target, 'gzip');
  const coding = async (accepted: string) =>
    (await raw(target, { 'accept-encoding': accepted })).headers['content-encoding'];
  assert.is(await coding('gzip, deflate, br'), 'br');
  assert.is(await coding('br;q=0.5, gzip'), 'gzip');
  assert.is(await coding('br;q=0, gzip'), 'gzip');
  assert.is(await coding('gzip;q=0, *'), 'br');
  assert.is(await coding('br;q=0,gzip;q=0,*'), undefined);
  assert.is(await coding('deflate'), undefined);
  assert.is(await coding('BR'), 'br');
});

test('304 for every form that the client can read', async () => {
  const target = '/events?per_page=4';
  const plain = String((await raw(target)).headers.etag);
  const brotli = String((await inCoding(target, 'br')).headers.etag);
  const gzip = String((await inCoding(target, 'gzip')).headers.etag);
  const asking = (held: string, accepted: string) =>
    raw(target, { 'if-none-match': held, 'accept-encoding': accepted });
  for (const tag of [plain, brotli, gzip]) {
    const { status, headers, bytes } = await asking(`"other", W/${tag}`, 'gzip, br');
    assert.is(status, 304);
    assert.is(headers.etag, tag);
    assert.is(headers['cache-control'], 'no-cache');
    assert.is(headers.vary, 'Origin, Accept-Encoding, Authorization');
    assert.is(bytes.length, 0);
  }
  assert.is((await asking('*', 'gzip')).status, 304);
  assert.is((await asking(plain, '')).status, 304);
  for (const unreadable of [brotli, gzip]) assert.is((await asking(unreadable, '')).status, 200, 'not for this client');
  assert.is((await asking(brotli, 'gzip')).status, 200);
  assert.is((await asking('"other"', 'br')).status, 200);
});

test('HEAD answers what GET would, without a body', async () => {
  const { bytes, headers } = await raw('/events?per_page=4');
  const head = await raw('/events?per_page=4', {}, 'HEAD');
  assert.is(head.bytes.length, 0);
  assert.is(Number(head.headers['content-length']), bytes.length);
  assert.is(head.headers.etag, headers.etag);
});

test('a short list goes out as it is', async () => {
  for (let asked = 0; asked < 5; asked++) {
    const { headers } = await raw('/events?search=nowhere', { 'accept-encoding': 'br' });
    assert.is(headers['content-encoding'], undefined);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
});

test.run();
