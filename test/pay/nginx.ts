import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { packagePath } from '../../src/lib/package-path.ts'

/** The nginx of this machine; undefined when there is none. */
export function findNginx(): string | undefined {
  return [process.env.NGINX_PATH, '/usr/sbin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx'].find(
    (path) => path && existsSync(path),
  )
}

/** nginx with the block of the production guide; only addresses differ, and TLS is left out. */
export async function startNginx(program: string, port: number, upstream: string): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'astrolabe-nginx-'))
  const guide = readFileSync(packagePath('docs/production.md'), 'utf8')
  const block = /```nginx\n(.*?)```/s
    .exec(guide)![1]!
    .replace(/\{ server [^}]*keepalive/, `{ server ${upstream}; keepalive`)
    .replace(/listen 443 ssl;.*$/m, `listen 127.0.0.1:${port};`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`)
  const config = join(folder, 'nginx.conf')
  writeFileSync(
    config,
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
${process.getuid?.() === 0 ? 'user root;' : ''}
events {}
http { access_log off; ${temporary.join(' ')}
${block}}
`,
  )
  const checked = spawnSync(program, ['-t', '-c', config, '-e', join(folder, 'error.log')], { encoding: 'utf8' })
  if (checked.status !== 0) throw new Error(`nginx does not take the configuration of the guide: ${checked.stderr}`)
  const child = spawn(program, ['-c', config, '-e', join(folder, 'error.log')], { stdio: 'ignore' })
  const gone = once(child, 'exit')
  for (let tries = 0; tries < 100; tries++) {
    if (await fetch(`http://127.0.0.1:${port}/llms.txt`).catch(() => undefined)) break
    await delay(50)
  }
  return async () => {
    child.kill('SIGTERM')
    await gone
    rmSync(folder, { recursive: true, force: true })
  }
}
