#!/usr/bin/env node
// Starts the program, or says in one sentence why it cannot. Kept to syntax that old versions of Node can read: what it loads is not.
// `--build` as the first argument compiles what has changed before; `npm start` and `npm run astrolabe` pass it.
'use strict'

const { existsSync } = require('node:fs')
const { enableCompileCache } = require('node:module')
const { join } = require('node:path')
const { pathToFileURL } = require('node:url')

const root = join(__dirname, '..')
const wanted = require('../package.json').engines.node.replace('>=', '')
const main = join(root, 'build/program/main.js')

const isOlder = (version, least) => {
  const [major, minor] = version.split('.').map(Number)
  const [leastMajor, leastMinor = 0] = least.split('.').map(Number)
  return major < leastMajor || (major === leastMajor && minor < leastMinor)
}

const stop = (sentence) => {
  process.stderr.write(`astrolabe: ${sentence}\n`)
  process.exit(1)
}

const load = (file) => import(pathToFileURL(file).href)

function start() {
  if (!existsSync(main)) stop(`the program is not compiled yet: run \`npm run build\` in ${root}`)
  // Since Node 22: the next start finds compiled code there. Threads and child processes get it through the environment.
  if (enableCompileCache && !process.env.NODE_COMPILE_CACHE) process.env.NODE_COMPILE_CACHE = enableCompileCache().directory || ''
  return load(main)
}

if (isOlder(process.versions.node, wanted))
  stop(`Node ${wanted} or newer is needed, this is ${process.versions.node}: install a current one from nodejs.org`)

const isClone = process.argv[2] === '--build'
if (isClone) process.argv.splice(2, 1)
const ready = isClone ? load(join(root, 'scripts/build-program.mjs')) : Promise.resolve()
ready.then(start).catch((error) => stop(error.message))
