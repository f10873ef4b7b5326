import { connectClient } from '../servers/connect.ts'

/** Takes back a restore: the schema was missing or empty before it. */
export async function dropRestored(url: string, schema: string): Promise<void> {
  const client = await connectClient(url, { application_name: `astrolabe restore ${schema}`, connectionTimeoutMillis: 5000 })
  try {
    await client.query(`drop schema "${schema}" cascade`)
  } finally {
    await client.end()
  }
}
