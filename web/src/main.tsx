import './styles/base.css'
import './styles/layout.css'
import './styles/parts.css'
import './styles/charts.css'
import './styles/figures.css'
import { render } from 'preact'
import { App } from './app.tsx'
import { followChain } from './live.ts'

followChain()
render(<App />, document.getElementById('app')!)
