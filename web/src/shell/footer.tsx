import { useLive } from '../live.ts'
import { site } from '../networks.ts'

export function Footer() {
  const attribution = site?.attribution
  const chainId = useLive(({ head }) => head?.chain_id)
  return (
    <footer class="bottom">
      <p>
        {attribution ? (
          <>
            <a href={attribution.url} rel="noopener noreferrer">
              {attribution.example}
            </a>
            . {attribution.text}
          </>
        ) : (
          'Data provided by Astrolabe.'
        )}
      </p>
      <p>
        {chainId && <span>Chain {chainId} · </span>}
        <a href="/data">Datasets</a> · <a href="/v1/docs">API docs</a> · <a href="/v1/swagger/doc.json">OpenAPI</a> ·{' '}
        <a href="/v1/head">Raw head</a>
      </p>
    </footer>
  )
}
