// Lists of proposals are those that an oracle finds by asking about each.
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { POST_STATUSES } from '../../../src/calendar/resource/domain/post.ts';
import { PROPOSAL_STATES } from '../../../src/editorial/proposals/domain/proposal.ts';
import {
  listProposals,
  type ProposalFilter,
  subjectIn,
} from '../../../src/editorial/proposals/queries/list-proposals.ts';
import type { Caller, Role } from '../../../src/people/auth/caller.ts';
import { partsIn } from '../../../src/people/auth/proposal-rights.ts';
import type { EventDocument, ProposalDocument } from '../../../src/read-model/documents.ts';
import { openSqliteReadModel } from '../../../src/read-model/sqlite/open.ts';
import { event, put, saved } from '../../support/documents.ts';

const test = suite('lists of proposals');

const CALLERS: readonly Caller[] = (['editor', 'author', 'contributor', 'subscriber'] as const).map((role: Role) => ({
  ...{ id: 2, login: role, name: role },
  role,
}));
const user = fc.integer({ min: 1, max: 3 });
const EVENTS = 6;

const events = fc.array(
  fc.record({ author: user, status: fc.constantFrom(...POST_STATUSES), protected: fc.boolean() }),
  { minLength: EVENTS, maxLength: EVENTS },
);
const proposals = fc.array(
  fc.record({
    stage: fc.constantFrom(...PROPOSAL_STATES),
    // One of the events is not there yet.
    target: fc.record({
      kind: fc.constantFrom('event', 'tag', 'category'),
      id: fc.integer({ min: 1, max: EVENTS + 1 }),
    }),
    author: user,
    reviewers: fc.uniqueArray(user, { maxLength: 2 }),
    opened: fc.integer({ min: 0, max: 9 }),
  }),
  { maxLength: 40 },
);
const filters: fc.Arbitrary<ProposalFilter> = fc.record(
  {
    states: fc.subarray([...PROPOSAL_STATES], { minLength: 1 }),
    kind: fc.constantFrom('event', 'tag'),
    target: fc.integer({ min: 1, max: EVENTS }),
    ...{ author: user, reviewer: user },
    ...{ openedFrom: fc.integer({ min: 0, max: 9 }), openedBefore: fc.integer({ min: 0, max: 9 }) },
  },
  { requiredKeys: [] },
);

const isListed = (filter: ProposalFilter, one: ProposalDocument): boolean =>
  (filter.states?.includes(one.stage) ?? true) &&
  (filter.kind ?? one.target.kind) === one.target.kind &&
  (filter.target ?? one.target.id) === one.target.id &&
  (filter.author ?? one.author) === one.author &&
  (filter.reviewer === undefined || one.reviewers.includes(filter.reviewer)) &&
  one.opened >= (filter.openedFrom ?? 0) &&
  one.opened < (filter.openedBefore ?? 99);

test('they are those that may be seen, newest first, in pages, with their number', async () => {
  const paging = fc.record({ offset: fc.nat(12), limit: fc.integer({ min: 1, max: 8 }) });
  await fc.assert(
    fc.asyncProperty(events, proposals, fc.array(filters, { minLength: 6, maxLength: 6 }), paging, async (...drawn) => {
      const [posts, opened, asked, page] = drawn;
      const model = openSqliteReadModel({ file: ':memory:', fingerprint: 'any' });
      const there = posts.map((members, at): EventDocument => {
        const before = members.status === 'trash' ? { status: 'draft', slug: '' } : null;
        return event(at + 1, { ...members, state: { before } });
      });
      const listed = opened.map((members, at): ProposalDocument => {
        return { kind: 'proposal', id: at + 1, revision: 0, position: '000001', state: {}, ...members };
      });
      await put(model, ...there.map(saved), ...listed.map(saved));
      for (const caller of CALLERS)
        for (const filter of [{}, ...asked]) {
          const seen = listed.toReversed().filter((one) => {
            const post = one.target.kind === 'event' ? (there[one.target.id - 1] ?? null) : null;
            return isListed(filter, one) && partsIn(caller, one, subjectIn(post)).length > 0;
          });
          const wanted = {
            ids: seen
              .slice(page.offset)
              .slice(0, page.limit)
              .map(({ id }) => id),
            total: seen.length,
          };
          const { items, total } = await listProposals(model, caller, filter, page);
          assert.equal({ ids: items.map(({ id }) => id), total }, wanted, `${caller?.role} ${JSON.stringify(filter)}`);
        }
      await model.close();
    }),
    { numRuns: 40 },
  );
});

test.run();
