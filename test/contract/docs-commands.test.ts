import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from './crd-schema.ts';
import { kubectlCommands, misplacedNamespaces } from './misplaced-namespaces.ts';

describe('the commands of the documentation', () => {
  it('V10: give no namespace to what has none', async () => {
    const pages = await documentation();
    const commands = pages.flatMap(({ text }) => kubectlCommands(text));
    expect(commands.length, 'commands that were found').to.be.greaterThan(15);
    for (const { name, text } of pages) expect(misplacedNamespaces(text), name).to.deep.equal([]);
  });

  const block = (command: string) => `text\n\n\`\`\`sh\n${command}\n\`\`\`\n`;
  const wrong: Record<string, string> = {
    'a flag after the kind': block('kubectl get executor default -n gatekeeper-system'),
    'a flag before the verb': block('kubectl --namespace=x describe executors/default'),
    'all namespaces': block('kubectl get executors -A'),
    'a command over two lines': block('kubectl get executors \\\n  --namespace x'),
    'a command inside another': block('x=$(kubectl get crd executors.config.ratify.sh -n x)'),
    'a command behind a pipe': block('echo | kubectl -n x get nodes'),
    'one of two kinds': block('kubectl get pods,executors -n x'),
    'a command in the text': 'Use `kubectl get executor x -n y`.',
    'a command after a prompt': '```\n$ kubectl get executors -n x\n```\n',
  };
  for (const [what, page] of Object.entries(wrong)) {
    it(`V10: would be found with ${what}`, () => {
      expect(misplacedNamespaces(page)).to.have.lengthOf(1);
    });
  }

  const right: Record<string, string> = {
    'a kind that has namespaces': block('kubectl -n x get exps,namespacedexecutors'),
    'no namespace': block('kubectl get executors\nkubectl get pods -n x'),
    'a comment about another kind': block('kubectl get pods -n x # of an executor x'),
    'text about neither': 'An `executor` is not in `-n x`.',
  };
  for (const [what, page] of Object.entries(right)) {
    it(`V10: may have ${what}`, () => {
      expect(misplacedNamespaces(page)).to.deep.equal([]);
    });
  }
});

/** Every page that a reader is sent to. */
async function documentation(): Promise<readonly { readonly name: string; readonly text: string }[]> {
  const files = await readdir(join(ROOT, 'docs'), { recursive: true });
  const names = ['README.md', 'CONTRIBUTING.md', ...files.map((file) => join('docs', file))];
  const pages = names.filter((name) => name.endsWith('.md'));
  return Promise.all(pages.map(async (name) => ({ name, text: await readFile(join(ROOT, name), 'utf8') })));
}
