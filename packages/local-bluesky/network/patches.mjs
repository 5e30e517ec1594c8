// Loaded before everything else of the network.
import { createRequire } from 'node:module';
import { Server } from 'node:net';

/** The one that the server of accounts uses. */
const Database = createRequire(import.meta.resolve('@atproto/pds'))('better-sqlite3');

// Servers that name no host would listen on every interface.
const { listen } = Server.prototype;
Server.prototype.listen = function (first, ...rest) {
  if (typeof first === 'number' && typeof rest[0] !== 'string') return listen.call(this, first, '127.0.0.1', ...rest);
  if (first?.port !== undefined) return listen.call(this, { host: '127.0.0.1', ...first }, ...rest);
  return listen.call(this, first, ...rest);
};

// libsql answers bytes as ArrayBuffer, better-sqlite3 as Buffer.
const statement = Object.getPrototypeOf(new Database(':memory:').prepare('SELECT 1'));
const { all, get } = statement;
statement.all = function (...args) {
  return all.apply(this, args).map(withBuffers);
};
statement.get = function (...args) {
  return withBuffers(get.apply(this, args));
};

function withBuffers(row) {
  for (const name in row) if (row[name] instanceof ArrayBuffer) row[name] = Buffer.from(row[name]);
  return row;
}
