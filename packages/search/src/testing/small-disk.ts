import Database from 'libsql';

/** The thread of an index on a disk that has room for so many pages of a file that is built. */
const { exec } = Database.prototype;
Database.prototype.exec = function (this: Database.Database, sql: string) {
  exec.call(this, sql);
  const pages = process.env['PAGES_OF_DISK'];
  // First said of a new file.
  if (pages && sql.includes('page_size')) exec.call(this, `PRAGMA max_page_count = ${pages}`);
  return this;
};
await import('../sqlite/worker.ts');
