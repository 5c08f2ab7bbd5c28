// Answers compressed with gzip to a client that offers to take them so, as a KurrentDB from 25.1 on does. The gRPC library can
// read such answers, and cannot write them: what is replaced here are private parts of it.
import { gzipSync } from 'node:zlib';
import grpc from '@grpc/grpc-js';

const OFFER = 'grpc-accept-encoding';
/** The library removes the offer from what interceptors see. */
const KEPT_OFFER = 'x-offered-encodings';
const FRAME_BYTES = 5;

interface ServerCall {
  readonly metadata: grpc.Metadata;
  serializeMessage(value: unknown): Buffer;
  sendMetadata(metadata: grpc.Metadata): void;
}

const { fromHttp2Headers } = grpc.Metadata;
grpc.Metadata.fromHttp2Headers = (headers) => {
  const metadata = fromHttp2Headers(headers);
  const offer = headers[OFFER];
  if (typeof offer === 'string') metadata.set(KEPT_OFFER, offer);
  return metadata;
};

/** `count` is called for each message that is compressed. */
export function compressing(count: () => void): grpc.ServerInterceptor {
  return (_method, call) => {
    // Private in the type, plain members of the call at run time.
    const inner = call as unknown as ServerCall;
    if (String(inner.metadata.get(KEPT_OFFER)[0]).includes('gzip')) compress(inner, count);
    return new grpc.ServerInterceptingCall(call);
  };
}

function compress(call: ServerCall, count: () => void): void {
  const { serializeMessage, sendMetadata } = call;
  call.serializeMessage = (value) => {
    count();
    const message = gzipSync(serializeMessage.call(call, value).subarray(FRAME_BYTES));
    const frame = Buffer.alloc(FRAME_BYTES);
    frame.writeUInt8(1, 0);
    frame.writeUInt32BE(message.length, 1);
    return Buffer.concat([frame, message]);
  };
  call.sendMetadata = (metadata) => {
    metadata.set('grpc-encoding', 'gzip');
    sendMetadata.call(call, metadata);
  };
}
