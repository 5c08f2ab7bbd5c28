import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCalendarEvent } from '../../../../src/calendar/event/commands/events.ts';
import { documentMakers } from '../../../../src/http/routes/written-documents.ts';
import type { Document } from '../../../../src/read-model/documents.ts';
import { openWorld, written } from '../../../support/given.ts';
import { RENDERING } from '../../../support/rebuild-process.ts';

const test = suite('documents of what was written');

test('an answer shows what the projector has just applied, and nothing of another write', async () => {
  const world = openWorld();
  try {
    const input = { title: 'Jazz', times: { start: '2027-03-01 20:00', end: '2027-03-01 22:00' } };
    const event = await written(createCalendarEvent(world.dependencies, world.context(), input));
    let kept: Document | null = null;
    const { event: made, writtenEvent } = documentMakers(RENDERING, () => kept);
    const whole = made(event);
    assert.equal(writtenEvent(event), whole);
    kept = { ...whole };
    assert.is(writtenEvent(event), kept);
    kept = { ...whole, position: `${whole.position}0` };
    assert.equal(writtenEvent(event), whole);
  } finally {
    await world.store.close();
  }
});

test.run();
