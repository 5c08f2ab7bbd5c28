// Proposals: found by everything that lists of them are narrowed by.
import * as assert from 'uvu/assert';
import { type ProposalDocument, writtenBy } from '../../src/read-model/documents.ts';
import { event, put, removed, saved } from '../support/documents.ts';
import type { Check } from './read-model-check.ts';

const proposal = (id: number, members: Partial<ProposalDocument> = {}): ProposalDocument => ({
  kind: 'proposal',
  id,
  revision: 0,
  position: '000001',
  stage: 'open',
  target: { kind: 'event', id: 7 },
  author: 3,
  reviewers: [],
  opened: 1_000,
  state: { id },
  ...members,
});

export function proposalRules(check: Check): void {
  check('proposals are found by state, kind, target, author and reviewer, ascending by id', async (model) => {
    assert.equal(await model.named('proposal', 'all'), []);
    await put(model, saved(proposal(10)), saved(proposal(9, { target: { kind: 'venue', id: 7 }, reviewers: [4, 5] })));
    await put(model, saved(proposal(123456, { stage: 'rejected', author: 30 })), saved(event(9)));
    const found = (name: string) => model.named('proposal', name);
    assert.equal(await found('all'), [9, 10, 123456]);
    assert.equal(await found('state:open'), [9, 10]);
    assert.equal(await found('kind:venue'), [9]);
    assert.equal([await found('target:event-7'), await found('target:venue-7')], [[10, 123456], [9]]);
    assert.equal([await found('author:3'), await found('author:30')], [[9, 10], [123456]]);
    assert.equal([await found('reviewer:4'), await found('reviewer:3')], [[9], []]);
    assert.equal(await model.named('event', 'all'), []);
  });

  check('names are counted and read in parts, the greatest ids first', async (model) => {
    await put(model, ...[1, 2, 9, 10, 123456].map((id) => saved(proposal(id))), saved(proposal(5, { author: 30 })));
    const part = (name: string, below: number | undefined, offset: number, limit: number) =>
      model.namedPage('proposal', name, { ...(below !== undefined && { below }), offset, limit });
    assert.equal([await model.countNamed('proposal', 'author:3'), await model.countNamed('proposal', 'x')], [5, 0]);
    assert.equal(await part('author:3', undefined, 0, 3), [123456, 10, 9]);
    assert.equal(await part('author:3', undefined, 3, 3), [2, 1]);
    assert.equal(await part('author:3', 10, 0, 2), [9, 2]);
    assert.equal(await part('author:3', 1, 0, 2), []);
    assert.equal(await model.countNamed('event', 'author:3'), 0);
  });

  check('what an author wrote is found in any status, and not any more where another is its author', async (model) => {
    const trashed = event(8, { author: 3, status: 'trash' });
    await put(model, saved(event(7, { author: 3 })), saved(trashed), saved(event(9, { author: 4 })));
    assert.equal(await model.named('event', writtenBy(3)), [7, 8]);
    await put(model, saved(event(7, { author: 4, revision: 1 })));
    assert.equal([await model.named('event', writtenBy(3)), await model.named('event', writtenBy(4))], [[8], [7, 9]]);
  });

  check('a proposal is found by what it is now, and read as it was written', async (model) => {
    await put(model, saved(proposal(1)));
    const applied = proposal(1, { stage: 'applied', revision: 2, reviewers: [8], state: { id: 1, note: 'x' } });
    await put(model, saved(applied));
    assert.equal(await model.named('proposal', 'state:open'), []);
    assert.equal(await model.named('proposal', 'state:applied'), [1]);
    const [read] = await model.fetch([{ kind: 'proposal', id: 1 }]);
    assert.equal({ ...read }, applied);
    await put(model, removed('proposal', 1));
    assert.equal(await model.named('proposal', 'all'), []);
  });
}
