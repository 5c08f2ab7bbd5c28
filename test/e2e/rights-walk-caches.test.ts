// What each role reads through a cache in front is what it reads without one, in any order of readers. Caches that are not
// installed are left out.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Cache, installed, NGINX, VARNISH } from '../support/fronts.ts';
import { type Kind, ROLES, type Role } from '../support/rights-table.ts';
import { seeded } from '../support/seeded.ts';
import { type As, type Body, someEvent, startTestService, temporaryFolder } from '../support/service.ts';

const PREFIX = '/calendar/events/v1';
const KINDS: readonly Kind[] = ['event', 'venue', 'organizer'];
const OWNERS: readonly As[] = ['author', 'otherAuthor'];
const STATUSES = ['publish', 'future', 'draft', 'pending', 'private', 'trash'];
const LATER = '2027-06-01 09:00:00';

// Addresses in answers are the same through each of them.
const environment = { DAYBOOK_CACHE_SECONDS: '3600', DAYBOOK_SITE_URL: 'https://calendar.example' };
const daybook = await startTestService({ environment });
await daybook.service.app.listen({ port: 0, host: '127.0.0.1' });
const { port } = daybook.service.app.server.address() as { readonly port: number };
const own = `http://127.0.0.1:${port}`;

/** Everything that is public or is not, and the lists, feeds and pages that show the one and not the other. */
const targets: string[] = [];

async function fill(kind: Kind, owner: As, status: string): Promise<void> {
  const name = `${kind} ${status} of ${owner}`;
  const members = { author: daybook.userId(owner), status: status === 'trash' ? 'draft' : status };
  const date = status === 'future' ? { date: LATER } : {};
  const named = kind === 'event' ? someEvent({ title: name }) : { [kind]: name };
  const made: Body = await daybook.created('administrator', `${kind}s`, { ...named, ...members, ...date });
  if (status === 'trash') await daybook.request('administrator', 'DELETE', `/${kind}s/${made.id}`);
  const addresses = [`/${kind}s/${made.id}`, `/${kind}s/${made.id}/history`];
  if (made.slug) addresses.push(`/${kind}s/by-slug/${made.slug}`);
  if (kind === 'event') addresses.push(`/events/${made.id}.ics`, `/events?venue=${made.id}`);
  targets.push(...addresses.map((address) => `${PREFIX}${address}`));
  if (kind === 'event' && made.slug) targets.push(`/event/${made.slug}/`);
}
for (const kind of KINDS) for (const owner of OWNERS) for (const status of STATUSES) await fill(kind, owner, status);
const locked: Body = await daybook.created('editor', 'events', someEvent({ title: 'Locked', password: 'open' }));
for (const kind of KINDS)
  for (const query of ['', '?status=any', '?status=draft', '?search=private', '?_fields=id'])
    targets.push(`${PREFIX}/${kind}s${query}`);
for (const address of ['/events.ics', '/events.rss', '/changes', '/users', '/categories', '/proposals', '/schedule'])
  targets.push(`${PREFIX}${address}`);
targets.push(
  `${PREFIX}/events/${locked.id}`,
  `${PREFIX}/events/${locked.id}?password=open`,
  '/',
  '/desk',
  '/sitemap.xml',
);

interface Read {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

async function read(address: string, role: Role): Promise<Read> {
  const authorization: Record<string, string> =
    role === 'anonymous' ? {} : { authorization: daybook.authorization(role) };
  const answer = await fetch(address, { headers: authorization, redirect: 'manual' });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

/** The roles in another order for each address, and the public once more when all have asked. */
function turns(random: () => number): Role[] {
  return [...[...ROLES].sort(() => random() - 0.5), 'anonymous'];
}

/** Of each address and role without a cache, read once. */
const direct = new Map<string, Promise<Read>>();

function readDirectly(target: string, role: Role): Promise<Read> {
  const key = `${role} ${target}`;
  const answer = direct.get(key) ?? read(`${own}${target}`, role);
  direct.set(key, answer);
  return answer;
}

function walk(cache: Cache): void {
  const test = suite(`rights through ${cache.name}`);
  test('each role reads what it reads without it, in any order of readers', async () => {
    const { folder, remove } = temporaryFolder();
    const front = await cache.start(port, folder);
    const random = seeded(20);
    let kept = 0;
    try {
      for (const target of targets) {
        for (const role of turns(random)) {
          const through = await read(`${front.address}${target}`, role);
          const expected = await readDirectly(target, role);
          assert.is(through.status, expected.status, `${role}: ${target}`);
          assert.is(through.text, expected.text, `${role}: ${target}`);
          const isKept = cache.isFromCache(through.headers);
          if (isKept) kept += 1;
          assert.ok(!isKept || role === 'anonymous', `${role}: ${target} came out of the cache`);
        }
      }
      // Something was to be had from it at all.
      assert.ok(kept > 20, `${kept} answers from the cache`);
    } finally {
      await front.stop();
      remove();
    }
  });
  test.run();
}

const { here, missing } = installed([VARNISH, NGINX]);
for (const cache of here) walk(cache);
const last = suite('rights through caches');
for (const program of missing) console.log(`Left out: ${program} is not installed.`);
last.after(() => daybook.close());
last('all of them were asked', () => assert.ok(targets.length > 100));
last.run();
