// Stands in for Ratify in the cluster test: the same ports and probes, and always well.
import { createServer } from 'node:http';

const answer = (_request, response) => response.end('ok');
const servers = [6001, 9099].map((port) => createServer(answer).listen(port));
process.once('SIGTERM', () => {
  for (const server of servers) server.close();
  process.exit(0);
});
