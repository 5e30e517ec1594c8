// Loaded before all other modules of the network.
import crypto from 'node:crypto';
import { createRequire } from 'node:module';
import { Server } from 'node:net';

/** The SQLite library that the server of accounts uses. */
const Database = createRequire(import.meta.resolve('@atproto/pds'))('better-sqlite3');

// A server without a host would listen on every interface.
const { listen } = Server.prototype;
Server.prototype.listen = function (first, ...rest) {
  if (typeof first === 'number' && typeof rest[0] !== 'string') return listen.call(this, first, '127.0.0.1', ...rest);
  if (first?.port !== undefined) return listen.call(this, { host: '127.0.0.1', ...first }, ...rest);
  return listen.call(this, first, ...rest);
};

// The passwords protect nothing here, and a proper hash took half of the time to create an account.
const { scrypt } = crypto;
crypto.scrypt = (password, salt, length, done) => scrypt(password, salt, length, { N: 2 }, done);

// No data has to survive a crash. Each account has a file of its own, and syncing it took most of the time to create
// one.
const { prepare } = Database.prototype;
const unsynced = new WeakSet();
Database.prototype.prepare = function (...args) {
  if (!unsynced.has(this)) this.exec('PRAGMA synchronous = OFF');
  unsynced.add(this);
  return prepare.apply(this, args);
};

// libsql returns bytes as ArrayBuffer, better-sqlite3 as Buffer.
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
