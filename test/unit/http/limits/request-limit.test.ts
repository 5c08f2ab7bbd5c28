import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ShellSettings } from '../../../../src/http/settings.ts';
import { shellOf } from '../shell.ts';

const test = suite('requests of one address');
const ROOT = '/calendar/events/v1';

function setUp(settings: Partial<ShellSettings>, gateway: string | null = null) {
  const clock = { at: 0 };
  const { app, logged } = shellOf([], settings, { elapsed: () => clock.at, gateway });
  const ask = (remoteAddress: string, headers: { readonly [name: string]: string } = {}, url = ROOT) =>
    app.inject({ url, remoteAddress, headers: { origin: 'https://page.example', ...headers } });
  const statuses = async (count: number, remoteAddress: string, headers?: { readonly [name: string]: string }) => {
    const answers: number[] = [];
    for (let sent = 0; sent < count; sent += 1) answers.push((await ask(remoteAddress, headers)).statusCode);
    return answers;
  };
  return { clock, ask, statuses, logged };
}

test('beyond the limit an address is refused until its minute is over, and no other one with it', async () => {
  const { clock, ask, statuses, logged } = setUp({ requestsPerMinute: 3 });
  assert.equal(await statuses(4, '203.0.113.9'), [200, 200, 200, 429]);
  clock.at = 45_000;
  const refused = await ask('203.0.113.9');
  assert.equal([refused.statusCode, refused.json().code], [429, 'rest_rate_limited']);
  assert.is(refused.headers['retry-after'], '15');
  assert.is(refused.headers['access-control-allow-origin'], 'https://page.example', 'a page may read why');
  assert.match(String(refused.headers['access-control-expose-headers']), 'Retry-After');
  assert.equal(await statuses(1, '203.0.113.10'), [200]);
  clock.at = 60_000;
  assert.equal(await statuses(1, '203.0.113.9'), [200]);
  assert.equal(logged, []);
});

test('unknown paths count like others, and a refused request still gets the envelope it asked for', async () => {
  const { ask } = setUp({ requestsPerMinute: 1 });
  assert.is((await ask('203.0.113.9', {}, `${ROOT}/nothing`)).statusCode, 404);
  const refused = await ask('203.0.113.9', {}, `${ROOT}/nothing?_envelope=1`);
  assert.equal([refused.statusCode, refused.json().status], [200, 429]);
});

test('clients on this machine are not counted: behind a silent proxy they are all clients', async () => {
  const { statuses } = setUp({ requestsPerMinute: 1 });
  assert.equal(await statuses(3, '127.0.0.1', { 'x-forwarded-for': '198.51.100.1' }), [200, 200, 200]);
});

test('clients behind the gateway of a container are not counted, others are', async () => {
  const { statuses } = setUp({ requestsPerMinute: 1 }, '172.17.0.1');
  assert.equal(await statuses(2, '172.17.0.2'), [200, 429]);
  assert.equal(await statuses(3, '172.17.0.1'), [200, 200, 200]);
});

test('a proxy that is not trusted is warned of once, and one that is never', async () => {
  for (const header of ['x-forwarded-for', 'forwarded', 'x-forwarded-proto', 'x-forwarded-host', 'x-real-ip']) {
    const { statuses, logged } = setUp({});
    await statuses(1, '172.18.0.5');
    assert.equal(logged, []);
    await statuses(3, '::ffff:172.18.0.5', { [header]: 'x' });
    assert.is(logged.length, 1);
    assert.match(JSON.stringify(logged), new RegExp(`172\\.18\\.0\\.5 carries ${header},.*DAYBOOK_TRUST_PROXY=1`));
    const trusting = setUp({ trustForwarded: true });
    await trusting.statuses(1, '172.18.0.5', { [header]: 'x' });
    assert.equal(trusting.logged, []);
  }
});

test('clients named by a trusted proxy are counted, by the last address', async () => {
  const { statuses } = setUp({ requestsPerMinute: 1, trustForwarded: true });
  const said = (chain: string) => ({ 'x-forwarded-for': chain });
  assert.equal(await statuses(2, '127.0.0.1', said('198.51.100.1')), [200, 429]);
  assert.equal(await statuses(1, '127.0.0.1', said('192.0.2.7, 198.51.100.1')), [429], 'made up by the client');
  assert.equal(await statuses(1, '127.0.0.1', said('198.51.100.2')), [200]);
});

test('0 is no limit', async () => {
  const { statuses } = setUp({ requestsPerMinute: 0 });
  assert.equal(await statuses(3, '203.0.113.9'), [200, 200, 200]);
});

test.run();
