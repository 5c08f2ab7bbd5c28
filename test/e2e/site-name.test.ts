// What calendars and feeds are called.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ConfigError, readConfig } from '../../src/config.ts';
import { NOON, someEvent, startTestService, type TestService } from '../support/service.ts';
import { ask } from '../unit/http/feeds/feed-client.ts';

const NAME = 'Łódź & friends; what’s on';
const test = suite('the name of the site');

const feeds = (id: number) => ['/events.ics', `/events/${id}.ics`, '/events.rss', '/events.atom'];

async function asked(service: TestService): Promise<string[]> {
  service.clock.at = NOON;
  const { id } = await service.created('editor', 'events', someEvent());
  return Promise.all(feeds(id).map(async (path) => (await ask(service, path)).text.replaceAll('\r\n ', '')));
}

test('calendars, RSS and Atom bear the name of the site', async () => {
  const service = await startTestService({ environment: { DAYBOOK_SITE_NAME: NAME } });
  try {
    const [calendar = '', single = '', rss = '', atom = ''] = await asked(service);
    for (const text of [calendar, single])
      for (const property of ['NAME', 'X-WR-CALNAME'])
        assert.match(text, `\r\n${property}:Łódź & friends\\; what’s on\r\n`);
    assert.match(rss, '<title>Łódź &amp; friends; what’s on</title>');
    assert.match(atom, '<title>Łódź &amp; friends; what’s on</title>');
    assert.match(calendar, /\r\nUID:event-\d+@cal\.example\r\n/, 'what identifies an event stays');
  } finally {
    await service.close();
  }
});

test('without a name they are called as their host', async () => {
  const service = await startTestService();
  try {
    const [calendar = '', single = '', rss = '', atom = ''] = await asked(service);
    for (const text of [calendar, single]) assert.match(text, '\r\nX-WR-CALNAME:cal.example\r\n');
    for (const text of [rss, atom]) assert.match(text, '<title>cal.example</title>');
  } finally {
    await service.close();
  }
});

test('a name is one line of at most 200 characters', () => {
  assert.is(readConfig({ DAYBOOK_SITE_NAME: ` ${'n'.repeat(200)} ` }).siteName, 'n'.repeat(200));
  assert.is(readConfig({ DAYBOOK_SITE_NAME: ' ' }).siteName, null);
  for (const name of ['n'.repeat(201), 'two\nlines'])
    assert.throws(
      () => readConfig({ DAYBOOK_SITE_NAME: name }),
      (error: unknown) => error instanceof ConfigError && error.message.includes('one line of at most 200 characters'),
    );
});

test.run();
