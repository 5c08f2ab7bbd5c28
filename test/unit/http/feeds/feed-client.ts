// Asks a service for feeds, which are no JSON.
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import * as assert from 'uvu/assert';
import { type As, PREFIX, type SendHeaders, type TestService } from '../../../support/service.ts';

export interface FeedAnswer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string | undefined };
  readonly text: string;
}

type Asked = Pick<TestService, 'service' | 'authorization'>;

export async function ask(
  { service, authorization }: Asked,
  target: string,
  as: As = 'anonymous',
  headers: SendHeaders = {},
  method: 'GET' | 'HEAD' | 'OPTIONS' | 'POST' = 'GET',
): Promise<FeedAnswer> {
  const credentials = as === 'anonymous' ? {} : { authorization: authorization(as) };
  const answer = await service.app.inject({
    method,
    url: target.startsWith('//') ? target.slice(1) : PREFIX + target,
    headers: { host: 'cal.example', ...credentials, ...headers },
  });
  const texts = Object.entries(answer.headers).map(([name, value]) => [name, value && String(value)]);
  return { status: answer.statusCode, headers: Object.fromEntries(texts), text: answer.payload };
}

const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '@', trimValues: false });

// biome-ignore lint/suspicious/noExplicitAny: whatever the reader finds
export function readXml(text: string): any {
  assert.is(XMLValidator.validate(text), true, text);
  return parser.parse(text);
}

// biome-ignore lint/suspicious/noExplicitAny: whatever the reader finds
export const listOf = (value: any): any[] => (value === undefined ? [] : Array.isArray(value) ? value : [value]);
