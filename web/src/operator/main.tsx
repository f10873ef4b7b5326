import '../styles/base.css'
import '../styles/layout.css'
import '../styles/parts.css'
import { render } from 'preact'
import { OperatorView } from './view.tsx'

render(<OperatorView />, document.getElementById('app')!)
