import fastifyHelmet from '@fastify/helmet';
import fastify from 'fastify';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pagePolicy } from '../../../src/http/plugins/security-headers.ts';
import type { ShellSettings } from '../../../src/http/settings.ts';
import { startTestService } from '../../support/service.ts';
import { shellOf } from './shell.ts';

const test = suite('headers for browsers');
const ROOT = '/calendar/events/v1';

async function headersOf(settings: Partial<ShellSettings>, url = ROOT) {
  const { app } = shellOf([], settings);
  return (await app.inject({ url })).headers;
}

test('data is no page: it loads nothing, is framed nowhere, and may be read from anywhere', async () => {
  for (const path of [ROOT, `${ROOT}/nothing`]) {
    const headers = await headersOf({}, path);
    assert.is(headers['content-security-policy'], "default-src 'none';frame-ancestors 'none'", path);
    assert.is(headers['cross-origin-resource-policy'], 'cross-origin');
    assert.is(headers['referrer-policy'], 'no-referrer');
    assert.is(headers['x-content-type-options'], 'nosniff');
  }
});

test('headers irrelevant to data are not sent', async () => {
  const headers = await headersOf({});
  for (const name of [
    'x-frame-options',
    'x-powered-by',
    'x-xss-protection',
    'x-download-options',
    'origin-agent-cluster',
  ])
    assert.is(headers[name], undefined, name);
});

test('browsers are required to use https if the public address does', async () => {
  assert.is((await headersOf({ siteUrl: 'https://cal.example' }))['strict-transport-security'], 'max-age=31536000');
  assert.is((await headersOf({ siteUrl: 'http://cal.example' }))['strict-transport-security'], undefined);
  assert.is((await headersOf({}))['strict-transport-security'], undefined);
});

test('health and metrics carry them, too', async () => {
  const daybook = await startTestService();
  for (const url of ['/healthz', '/readyz', '/metrics']) {
    const { headers } = await daybook.service.app.inject({ url });
    assert.is(headers['content-security-policy'], "default-src 'none';frame-ancestors 'none'", url);
    assert.is(headers['x-content-type-options'], 'nosniff');
  }
  await daybook.close();
});

test('a page of our own may load what lies beside it, and nothing from elsewhere', async () => {
  const app = fastify();
  await app.register(fastifyHelmet, pagePolicy('https'));
  app.get('/', async () => 'page');
  const { headers } = await app.inject({ url: '/' });
  const policy = String(headers['content-security-policy']);
  for (const rule of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"])
    assert.ok(policy.split(';').includes(rule), rule);
  assert.not.match(policy, /https?:|script-src[^;]*unsafe/);
  assert.is(headers['strict-transport-security'], 'max-age=31536000');
  await app.close();
});

test('a preflight is answered without routing, and may be cached', async () => {
  const { app } = shellOf([]);
  for (const url of [ROOT, `${ROOT}/nothing`]) {
    const headers = {
      origin: 'https://page.example',
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'authorization, content-type, last-event-id',
    };
    const answer = await app.inject({ method: 'OPTIONS', url, headers });
    assert.equal([answer.statusCode, answer.payload], [204, ''], url);
    assert.is(answer.headers['access-control-allow-origin'], 'https://page.example');
    assert.is(answer.headers['access-control-max-age'], '7200');
    assert.match(String(answer.headers['access-control-allow-methods']), /\bPUT\b/);
    const accepted = String(answer.headers['access-control-allow-headers']).toLowerCase().split(', ');
    for (const name of ['authorization', 'content-type', 'last-event-id']) assert.ok(accepted.includes(name), name);
  }
});

test.run();
