// What requests of every sort (fuzz.test.ts) have found, each as the one request that it took.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startTestService } from '../support/service.ts';

const test = suite('requests that went wrong once');
const daybook = await startTestService();

test('a wait that is no number, but a tree of values, is a mistake in the request', async () => {
  for (const value of ['wait[a][b]=5', 'wait[]=5', 'wait[a]=x']) {
    const { status, body } = await daybook.get(`/changes?${value}`, 'administrator');
    assert.equal([status, body.code, Object.keys(body.data.params)], [400, 'rest_invalid_param', ['wait']], value);
  }
  assert.equal(daybook.logged, []);
});

test.after(() => daybook.close());
test.run();
