// Proposals that are opened against changing states and approved in any order, held against an oracle that merges by hand.
import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { changeCalendarEvent, createCalendarEvent } from '../../src/calendar/event/commands/events.ts';
import type { CalendarEvent } from '../../src/calendar/event/domain/calendar-event.ts';
import { loadEvent } from '../../src/calendar/resource/commands/references.ts';
import { approveProposalOf } from '../../src/editorial/proposals/commands/approve.ts';
import { type ProposalDependencies, proposeChange } from '../../src/editorial/proposals/commands/proposals.ts';
import { CONTRIBUTOR, EDITOR, openWorld, written } from '../support/given.ts';

const test = suite('merging proposals');

const FIELDS = ['title', 'excerpt', 'description', 'website'] as const;
type Content = { readonly [Field in (typeof FIELDS)[number]]: string };

/** Few values, so that two sides often say the same, or something else of the same field. */
const VALUES = ['alpha', 'beta', 'gamma', 'delta'];
const change = fc.uniqueArray(fc.tuple(fc.constantFrom(...FIELDS), fc.constantFrom(...VALUES)), {
  minLength: 1,
  maxLength: 2,
  selector: ([field]) => field,
});
const isProposed = fc.boolean();
/** Mostly proposals, of which 200 come together, and direct changes between them. */
const steps = fc.array(fc.record({ isProposed, change: change.map((entries) => Object.fromEntries(entries)) }), {
  minLength: 300,
  maxLength: 400,
});

const contentOf = (event: CalendarEvent): Content => ({
  title: event.title,
  excerpt: event.excerpt,
  description: event.description,
  website: event.website ?? '',
});

interface Opened {
  readonly id: number;
  readonly base: Content;
  readonly wish: Partial<Content>;
}

/** By hand: null where both sides changed a field, and not to the same. */
function merged(now: Content, { base, wish }: Opened): Content | null {
  for (const field of FIELDS) {
    const mine = wish[field] ?? base[field];
    if (mine !== base[field] && now[field] !== base[field] && now[field] !== mine) return null;
  }
  return { ...now, ...wish };
}

test('random proposals, approved in random order, come to what merging by hand comes to', () =>
  fc.assert(
    fc.asyncProperty(steps, fc.infiniteStream(fc.nat()), async (sequence, random) => {
      const world = openWorld();
      const { store, context } = world;
      const dependencies: ProposalDependencies = {
        ...world.dependencies,
        fieldsOf: (_kind, state) => ({ ...contentOf(state as CalendarEvent) }),
      };
      const times = { start: '2026-12-05 14:00:00', end: '2026-12-05 16:00:00' };
      const input = { title: 'alpha', excerpt: 'alpha', description: 'alpha', website: 'alpha', times };
      const { id } = await written(createCalendarEvent(dependencies, context(), input));
      const open: Opened[] = [];
      const seen = { merged: 0, conflicts: 0 };
      let now: Content = { title: 'alpha', excerpt: 'alpha', description: 'alpha', website: 'alpha' };

      async function approveOne(): Promise<void> {
        const [proposal] = open.splice(Number(random.next().value) % open.length, 1);
        if (!proposal) return;
        const expected = merged(now, proposal);
        const result = await approveProposalOf(dependencies, context({ caller: EDITOR }), proposal.id, '');
        assert.is(
          result.kind === 'rejected' ? result.rejection.code : 'merged',
          expected ? 'merged' : 'proposal_conflict',
        );
        now = expected ?? now;
        seen[expected ? 'merged' : 'conflicts'] += 1;
        const event = await loadEvent(store, id);
        assert.equal(event && contentOf(event), now);
      }

      for (const { isProposed: proposes, change: wish } of sequence) {
        if (proposes || open.length < 5) {
          const as = context({ caller: CONTRIBUTOR });
          const opened = await proposeChange(dependencies, as, { kind: 'event', id }, { wish, note: '' });
          if (opened.kind === 'written') open.push({ id: opened.written.id, base: now, wish });
        } else {
          await written(changeCalendarEvent(dependencies, context(), id, wish));
          now = { ...now, ...wish };
        }
        if (Number(random.next().value) % 3 === 0 && open.length > 0) await approveOne();
      }
      while (open.length > 0) await approveOne();
      assert.ok(seen.merged > 20 && seen.conflicts > 20, JSON.stringify(seen));
      await store.close();
    }),
    { numRuns: 2 },
  ));

test.run();
