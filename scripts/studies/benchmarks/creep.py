TITLE, INTRODUCTION, TABLES = "creep", "x", []
def run(csim):
    return []
