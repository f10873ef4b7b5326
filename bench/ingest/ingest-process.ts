/** One index of the recording in the first argument, from nothing: what it took goes to the parent. Started by `forkIndexer`, so that no run finds code compiled by another. */

import '../../src/runtime/name-runtime.ts'
import { openRecordingSource } from '../../src/chain/recording/source.ts'
import { forgetMemorySettings } from '../harness/fork-indexer.ts'
import { runIngest } from './ingest-run.ts'

const [folder, threads] = process.argv.slice(2)
forgetMemorySettings()
const done = await runIngest(Number(threads), () => openRecordingSource(folder!))
process.send!(done, () => process.exit(0))
