import { randomUUID } from 'node:crypto';
import { ENDPOINTS } from '@archive/contracts';
import express, { type Express } from 'express';
import { sendProblem } from './problem.ts';

const STARTING = 'The archive is starting. Please try again in a moment.';
export const SOON = { 'Retry-After': '5' };

/** The app of a process that has its port but is still starting: alive, but not ready. */
export function createStartingApp(): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.get(ENDPOINTS.health.path, (_request, response) => void response.json({ status: 'ok' }));
  app.get(ENDPOINTS.ready.path, (_request, response) => {
    response.status(503).json({
      status: 'starting',
      done: 0,
      total: 0,
      behind: 0,
      waiting: 0,
      noRoom: null,
      search: null,
      agentsAway: [],
    });
  });
  app.use((_request, response) => {
    response.set({ ...SOON, 'X-Request-Id': randomUUID() });
    sendProblem(response, 'starting', STARTING);
  });
  return app;
}
