/** An error that the caller receives as JSON-RPC. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }

  toJSON(): { code: number; message: string; data?: unknown } {
    const { code, message, data } = this;
    return data === undefined ? { code, message } : { code, message, data };
  }
}

export const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
export const METHOD_NOT_FOUND = -32_601;
export const INTERNAL_ERROR = -32_603;
export const PREFLIGHT_FAILURE = -32_002;
export const SIGNATURE_FAILURE = -32_003;
export const UNSUPPORTED_VERSION = -32_015;
export const MIN_CONTEXT_SLOT = -32_016;

export function invalidParams(message: string): RpcError {
  return new RpcError(-32_602, `Invalid params: ${message}`);
}
