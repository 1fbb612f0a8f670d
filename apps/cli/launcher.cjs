// Starts the real command on a Node that can run it. Plain old JavaScript, so that any Node can read it.
'use strict'
const { spawn } = require('node:child_process')
const { existsSync, readdirSync, statSync } = require('node:fs')
const { join } = require('node:path')
const { pathToFileURL } = require('node:url')

const root = join(__dirname, '..', '..')
const compiled = join(__dirname, 'dist', 'main.js')
const bundled = join(__dirname, 'dist', 'bundle', 'main.js')
const own = join(root, 'node_modules', '.bin', 'node')

function isNewEnough(version) {
  const parts = version.split('.').map(Number)
  return parts[0] > 22 || (parts[0] === 22 && parts[1] >= 19)
}

function changedAt(path) {
  const found = statSync(path, { throwIfNoEntry: false })
  return found ? found.mtimeMs : 0
}

// The bundle starts in half the time, but counts only while nothing has been compiled after it was made.
function isBundleCurrent() {
  const made = changedAt(bundled)
  if (made === 0) return false
  return ['packages', 'apps'].every((folder) =>
    readdirSync(join(root, folder)).every(
      (name) => changedAt(join(root, folder, name, 'dist', '.tsbuildinfo')) <= made,
    ),
  )
}

function giveUp(message) {
  process.stderr.write(`windtunnel: ${message}\n`)
  process.exit(1)
}

// The commands run in a child on Node of our own; signals reach it too, and its end is ours.
function startOn(node) {
  const child = spawn(node, [__filename].concat(process.argv.slice(2)), { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => giveUp(`cannot start ${node}: ${error.message}`))
  child.on('exit', (code, signal) => {
    if (signal) {
      process.removeAllListeners(signal)
      process.kill(process.pid, signal)
    } else process.exit(code)
  })
}

if (!existsSync(join(root, 'node_modules')))
  giveUp('not set up yet. In this folder run: npm run setup && npm run build')
else if (!existsSync(compiled)) giveUp('not built yet. In this folder run: npm run build')
else if (isNewEnough(process.versions.node)) {
  const nodeModule = require('node:module')
  nodeModule.enableCompileCache?.(join(root, 'node_modules', '.cache', 'windtunnel'))
  if (process.env.WINDTUNNEL_DEBUG) process.setSourceMapsEnabled(true)
  import(pathToFileURL(isBundleCurrent() ? bundled : compiled).href).catch((error) =>
    giveUp(
      error.code === 'ERR_MODULE_NOT_FOUND' || error instanceof SyntaxError
        ? `the build is not whole or out of date (${error.message.split('\n')[0]}). Run: npm run setup && npm run build`
        : error.message,
    ),
  )
} else if (existsSync(own) && !process.env.WINDTUNNEL_STARTED) {
  process.env.WINDTUNNEL_STARTED = '1'
  startOn(own)
} else
  giveUp(
    `needs Node.js 22.19 or newer, and this is ${process.versions.node}. Install a newer one, or run: npm run setup`,
  )
