// A real nginx between readers and a service that goes away. Left out where nginx is not installed.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Front, installed, NGINX } from '../support/fronts.ts';
import { someEvent, startTestService, type TestService, temporaryFolder } from '../support/service.ts';

const test = suite('nginx in front');
const isThere = installed([NGINX]).here.length > 0;

const PREFIX = '/calendar/events/v1';
const { folder, remove } = temporaryFolder();
let nginx: Front;
let daybook: TestService;
let port = 0;

async function get(target: string, headers: { readonly [name: string]: string } = {}) {
  const answer = await fetch(`${nginx.address}${PREFIX}${target}`, { headers });
  return { status: answer.status, text: await answer.text(), cache: answer.headers.get('x-cache') };
}

/** The same answer, over and over, until nginx says that it is older than it should be. */
async function goesOn(target: string, text: string): Promise<void> {
  for (let stale = 0; stale < 5; ) {
    const answer = await get(target);
    assert.equal([answer.status, answer.text], [200, text]);
    if (answer.cache === 'STALE') stale += 1;
    else await sleep(50);
  }
}

if (isThere) {
  test.before(async () => {
    daybook = await startTestService({ environment: { DAYBOOK_CACHE_SECONDS: '1' } });
    await daybook.service.app.listen({ port: 0, host: '127.0.0.1' });
    port = (daybook.service.app.server.address() as { readonly port: number }).port;
    await daybook.created('editor', 'events', someEvent({ title: 'Concert' }));
    // A second before the day ends: lists may be kept so long, and not a moment longer while nginx asks for new ones.
    daybook.clock.at += 12 * 3_600 - 1;
    nginx = await NGINX.start(port, folder);
  });

  test('readers go on with what they could read while the service is away, and while it answers 503', async () => {
    const read = await get('/events');
    assert.is(read.status, 200);
    const own = { authorization: daybook.authorization('administrator') };
    assert.is((await get('/events', own)).status, 200);
    await daybook.service.app.close();
    await goesOn('/events', read.text);
    assert.is((await get('/events?page=7')).status, 502);
    // What is for one reader alone is never an old answer.
    assert.is((await get('/events', own)).status, 502);

    const broken = createServer((_, response) => response.writeHead(503).end('{}')).listen(port, '127.0.0.1');
    await once(broken, 'listening');
    await goesOn('/events', read.text);
    assert.is((await get('/events', own)).status, 503);
    broken.close();
    broken.closeAllConnections();
  });

  test.after(async () => {
    await nginx.stop();
    await daybook.close().catch(() => {});
    remove();
  });
} else console.log('Left out: nginx is not installed.');

test.run();
