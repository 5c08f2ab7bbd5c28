import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { wantsStream } from '../../../../src/editorial/audit/http/changes-routes.ts';

test('a stream is sent to those who name its type, whatever stands beside it', () => {
  const naming = [
    'text/event-stream',
    'Text/Event-Stream',
    'text/event-stream; charset="utf-8"',
    'application/json, text/event-stream;q=0.5',
    'garbage,,text/event-stream',
  ];
  assert.equal(naming.filter(wantsStream), naming);
});

test('others get JSON, and so do those who refuse streams', () => {
  const others = [undefined, '', '*/*', 'text/*', 'application/json', 'text/event-stream-x', 'text/event-stream;q=0'];
  assert.equal(others.filter(wantsStream), []);
});

test.run();
