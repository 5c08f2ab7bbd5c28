// Whom the document names as able to do something, and who is let in.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROLES } from '../../src/people/auth/caller.ts';
import { resolved } from '../support/documented.ts';
import { type As, type Body, someEvent, startTestService } from '../support/service.ts';

const test = suite('rights and their document');
const daybook = await startTestService();
const document: Body = (await daybook.get('/doc')).body;
const CALLERS: readonly As[] = ['anonymous', ...ROLES];

const nameOf = (as: As): string => (as === 'anonymous' ? 'anonymous' : as);

test('the roles that the document names for whole collections are those that are let in', async () => {
  const collections = Object.entries<Body>(document.paths).filter(([path]) => !path.includes('{'));
  for (const [path, item] of collections) {
    for (const [method, operation] of Object.entries<Body>(item)) {
      // Feeds are no JSON; every caller who may read a list may read them.
      if (operation.responses['200'] && !operation.responses['200'].content['application/json']) continue;
      for (const as of CALLERS) {
        const body = method === 'post' ? sampleBody(operation) : undefined;
        const { status } = await daybook.request(as, method.toUpperCase(), path === '/' ? '' : path, body);
        const isLetIn = status !== 401 && status !== 403;
        assert.is(isLetIn, operation['x-daybook-roles'].includes(nameOf(as)), `${as} ${method} ${path} ${status}`);
      }
    }
  }
});

let samples = 0;

/** The members that must be sent. */
function sampleBody({ requestBody }: Body): object {
  const form = requestBody.content['application/x-www-form-urlencoded'];
  // Those that take files alone refuse what has none, after the right.
  if (!form) return {};
  const { required = [] } = resolved(document, form.schema);
  const known: Body = { role: 'author', kind: 'event', of: 1, start_date: '2027-01-01', end_date: '2027-01-01' };
  samples += 1;
  return Object.fromEntries(required.map((name: string) => [name, known[name] ?? `sample-${samples}`]));
}

const POSTS = { own_draft: 'draft', own_published: 'publish', others_draft: 'draft', others_published: 'publish' };

test('the posts that the document names for a role are those that it may change, trash and revert', async () => {
  const bodies = { events: someEvent(), venues: { venue: 'Hall' }, organizers: { organizer: 'Anna' } };
  for (const [collection, body] of Object.entries(bodies)) {
    for (const as of ROLES) {
      for (const [standing, status] of Object.entries(POSTS)) {
        const author = daybook.userId(standing.startsWith('own') ? as : 'otherAuthor');
        const made = await daybook.created('administrator', collection, {
          ...body,
          description: `${as} ${standing}`,
          status,
          author,
        });
        for (const [method, path] of [
          ['put', '/{id}'],
          ['post', '/{id}/revert'],
          ['delete', '/{id}'],
        ] as const) {
          const place = `/${collection}${path}`;
          const named = document.paths[place][method]['x-daybook-posts'][as]?.includes(standing) ?? false;
          const change = method === 'put' ? { description: 'Changed' } : { revision: 0 };
          const answer = await daybook.request(as, method.toUpperCase(), place.replace('{id}', made.id), change);
          assert.is(answer.status === 200, named, `${as} ${method} ${place} ${standing}: ${answer.text.slice(0, 200)}`);
        }
      }
    }
  }
});

test.after(() => daybook.close());
test.run();
