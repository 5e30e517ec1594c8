export const SYSTEM = '11111111111111111111111111111111';
export const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
export const ASSOCIATED_TOKEN = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
export const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
export const MEMO_V1 = 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo';
export const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
export const ADDRESS_LOOKUP_TABLE = 'AddressLookupTab1e1111111111111111111111111';

export function isTokenProgram(program: string): boolean {
  return program === TOKEN || program === TOKEN_2022;
}

export function isMemoProgram(program: string): boolean {
  return program === MEMO || program === MEMO_V1;
}
