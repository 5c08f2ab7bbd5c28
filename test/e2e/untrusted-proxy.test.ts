// A proxy in front that the service is not configured to trust.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Body, PREFIX, startTestService } from '../support/service.ts';

const test = suite('a proxy that is not trusted, seen from outside');

const forwarded = { url: `${PREFIX}/tags`, remoteAddress: '172.18.0.5', headers: { 'x-forwarded-for': '203.0.113.9' } };

test('it is logged once', async () => {
  const daybook = await startTestService();
  for (let turn = 0; turn < 3; turn += 1) await daybook.service.app.inject(forwarded);
  const said = /172\.18\.0\.5 carries x-forwarded-for.*DAYBOOK_TRUST_PROXY=1/;
  assert.is(daybook.logged.filter(({ msg }: Body) => said.test(msg)).length, 1);
  await daybook.close();
});

test('a trusted proxy is not reported', async () => {
  const daybook = await startTestService({ environment: { DAYBOOK_TRUST_PROXY: '1' } });
  await daybook.service.app.inject(forwarded);
  assert.equal(daybook.logged, []);
  await daybook.close();
});

test.run();
