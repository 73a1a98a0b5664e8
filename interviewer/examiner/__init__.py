"""Who asks and judges: one protocol, an offline examiner and one that talks to an endpoint."""
