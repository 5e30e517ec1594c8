import Database from 'libsql';

/** Runs the worker as if the disk had room for only `PAGES_OF_DISK` pages of a new file. */
const { exec } = Database.prototype;
Database.prototype.exec = function (this: Database.Database, sql: string) {
  exec.call(this, sql);
  const pages = process.env['PAGES_OF_DISK'];
  // Only the creation of a file sets `page_size`.
  if (pages && sql.includes('page_size')) exec.call(this, `PRAGMA max_page_count = ${pages}`);
  return this;
};
await import('../sqlite/worker.ts');
