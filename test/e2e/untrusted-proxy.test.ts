// A proxy in front that the service is not configured to trust.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Body, PREFIX, startTestService } from '../support/service.ts';

const test = suite('a proxy that is not trusted, seen from outside');

const forwarded = { url: `${PREFIX}/tags`, remoteAddress: '172.18.0.5', headers: { 'x-forwarded-for': '203.0.113.9' } };

test('it is logged once, and readiness reports it without becoming unready', async () => {
  const daybook = await startTestService();
  assert.is((await daybook.get('//readyz')).body.proxy, undefined);
  for (let turn = 0; turn < 3; turn += 1) await daybook.service.app.inject(forwarded);
  const { status, body } = await daybook.get('//readyz');
  assert.is(status, 200);
  assert.is(body.proxy.status, 'not trusted');
  assert.match(body.proxy.why, /172\.18\.0\.5 carries x-forwarded-for.*DAYBOOK_TRUST_PROXY=1/);
  const warnings = daybook.logged.filter(({ msg }: Body) => msg === body.proxy.why);
  assert.is(warnings.length, 1);
  await daybook.close();
});

test('a trusted proxy is not reported', async () => {
  const daybook = await startTestService({ environment: { DAYBOOK_TRUST_PROXY: '1' } });
  await daybook.service.app.inject(forwarded);
  assert.is((await daybook.get('//readyz')).body.proxy, undefined);
  assert.equal(daybook.logged, []);
  await daybook.close();
});

test.run();
