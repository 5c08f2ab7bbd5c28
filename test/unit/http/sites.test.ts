import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSites } from '../../../src/http/base-url.ts';
import { DEFAULT_SETTINGS, type ShellSettings } from '../../../src/http/settings.ts';

const test = suite('sites');
const sites = (changes: Partial<ShellSettings>) => createSites({ ...DEFAULT_SETTINGS, ...changes });

test('a fixed address counts whatever the client sends', () => {
  const links = sites({ siteUrl: 'https://cal.example:8443/base/' })
    .of({ host: 'evil.example' })
    .links('calendar/events/v1');
  assert.equal(links, {
    site: 'https://cal.example:8443/base',
    root: 'https://cal.example:8443/base/calendar/events/v1',
    host: 'cal.example/base',
  });
});

test('without one the Host header counts', () => {
  const { of } = sites({});
  assert.equal(of({ host: 'Cal.Example:8080' }).links('x'), {
    site: 'http://cal.example:8080',
    root: 'http://cal.example:8080/x',
    host: 'cal.example',
  });
  assert.is(of({ host: '[::1]:8080' }).links('x').host, '[::1]');
  assert.is(of({}).url, 'http://localhost');
});

test('forwarded headers count only where a proxy is trusted', () => {
  const headers = { host: 'inner:3000', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'cal.example, inner' };
  assert.is(sites({}).of(headers).url, 'http://inner:3000');
  assert.is(sites({ trustForwarded: true }).of(headers).url, 'https://cal.example');
  assert.is(sites({ trustForwarded: true }).of({ host: 'inner:3000' }).url, 'http://inner:3000');
  assert.throws(() => sites({ trustForwarded: true }).of({ ...headers, 'x-forwarded-host': 'a b' }));
});

test('the same host gives the same site', () => {
  const { of } = sites({});
  assert.is(of({ host: 'a' }), of({ host: 'A' }));
});

test.run();
