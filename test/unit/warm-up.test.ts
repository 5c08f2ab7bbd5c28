// What a service asks itself when it begins, so that its first readers need not wait for code that has not run before.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { warmUp } from '../../src/cli/serve.ts';
import { startTestService } from '../support/service.ts';

const test = suite('what is asked first');

/** The addresses that were answered, with their statuses. */
async function askedOver(events: number, room: number | null): Promise<string[]> {
  const { service, stores, close } = await startTestService();
  const answers: string[] = [];
  const app = Object.create(service.app, {
    inject: {
      value: async (request: { url: string }) => {
        const { statusCode } = await service.app.inject(request);
        answers.push(`${statusCode} ${request.url}`);
      },
    },
  });
  // The index is filled, and counted, by the first question.
  await stores.readModel.terms();
  stores.gate.counted?.(events);
  await warmUp({ app }, stores, 'http://127.0.0.1:8080', room);
  await close();
  return answers;
}

test('a large calendar: lists, a feed, a calendar and the first page, which all answer', async () => {
  assert.equal(await askedOver(100_000, null), [
    '200 http://127.0.0.1:8080/calendar/events/v1/events',
    '200 http://127.0.0.1:8080/calendar/events/v1/events.atom',
    '200 http://127.0.0.1:8080/calendar/events/v1/events.ics',
    '200 http://127.0.0.1:8080/',
  ]);
});

test('a small one: nothing, which would cost every start', async () => {
  assert.equal(await askedOver(9_999, null), []);
});

test('nothing where there is no memory to spare beside so many', async () => {
  assert.equal(await askedOver(100_000, 99_999), []);
});

test.run();
