// Run by mongosh beside the first member: makes the set, its first user and the archive's, and does nothing the second time.
// Whoever asks from the server's own machine may do so while there is no user; the service shares that member's network.
const { readFileSync } = require('node:fs');
const secret = (name) => readFileSync(`/run/secrets/${name}`, 'utf8').trim();
const admin = db.getSiblingDB('admin');

function signIn() {
  try {
    return admin.auth('root', secret('root_password')).ok === 1;
  } catch {
    return false;
  }
}

if (!signIn()) {
  try {
    const hosts = ['mongo-1:27017', 'mongo-2:27017', 'mongo-3:27017'];
    rs.initiate({ _id: 'rs0', members: hosts.map((host, _id) => ({ _id, host, priority: _id === 0 ? 2 : 1 })) });
  } catch (error) {
    if (error.codeName !== 'AlreadyInitialized') throw error;
  }
  for (let left = 120; !db.hello().isWritablePrimary; left--) {
    if (left === 0) throw new Error('the set has no primary here');
    sleep(500);
  }
  admin.createUser({ user: 'root', pwd: secret('root_password'), roles: ['root'] });
  if (!signIn()) throw new Error('the first user could not sign in');
}

// The archive may read and write its own database and nothing else. A changed password holds from here on.
const archive = { pwd: secret('archive_password'), roles: [{ role: 'readWrite', db: 'amber' }] };
if (db.hello().isWritablePrimary) {
  if (admin.getUser('amber')) admin.updateUser('amber', archive);
  else admin.createUser({ user: 'amber', ...archive });
}
