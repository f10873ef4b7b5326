import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPostgresUrl, listServers, socketOf } from './address.ts'

test('a list of hosts is a list of servers, without the words that only ask for one of them', () => {
  assert.deepEqual(listServers('postgres://u:p@one:1,two:2/db?target_session_attrs=read-write&sslmode=require'), [
    { url: 'postgres://u:p@one:1/db?sslmode=require', place: 'one:1' },
    { url: 'postgres://u:p@two:2/db?sslmode=require', place: 'two:2' },
  ])
})

test('a Unix socket is named by its folder, in the place of the host or as a parameter', () => {
  for (const url of [
    'postgres://u:p@%2Frun%2Fpostgresql:5433/db',
    'postgres://u:p@/db?host=/run/postgresql&port=5433',
    'postgres://u:p@:5433/db?host=%2Frun%2Fpostgresql',
  ]) {
    assert.ok(isPostgresUrl(url), url)
    const [server, ...others] = listServers(url)
    assert.deepEqual(others, [])
    assert.deepEqual(server, { url: 'postgres://u:p@%2Frun%2Fpostgresql:5433/db', place: '/run/postgresql:5433' })
    assert.equal(socketOf(server!.url), '/run/postgresql/.s.PGSQL.5433')
  }
  assert.equal(socketOf(listServers('postgres:///db?host=/tmp')[0]!.url), '/tmp/.s.PGSQL.5432')
  assert.equal(socketOf('postgres://u:p@127.0.0.1:5433/db'), undefined)
})

test('what is no address is refused', () => {
  for (const url of ['', 'mysql://u@host/db', 'postgres://u@host:port/db', 'postgres://u:p@/db'])
    assert.equal(isPostgresUrl(url), false, url)
})
